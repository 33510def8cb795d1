#pragma once

#include <cstdint>
#include <vector>

#include "opass/allocators/blocks.h"

namespace opass::allocators::disjunctive {

// Whole numbers strictly between `low` and `high`.
struct OpenRange {
  std::int64_t low = 0;
  std::int64_t high = 0;
};

// Sorted, and those that share a number made one.
std::vector<OpenRange> Merged(std::vector<OpenRange> ranges);

// The bases that a block may have beside what lies fixed: from 0 up, of its modulus, in none of
// some ranges.
class Bases {
 public:
  Bases(std::int64_t modulus, std::int64_t residue, std::vector<OpenRange> blocked);

  std::int64_t AtLeast(std::int64_t base) const;  // the least one that is not below `base`
  std::int64_t AtMost(std::int64_t base) const;   // the greatest one not above; -1: none

 private:
  std::int64_t modulus_;
  std::int64_t residue_;
  std::vector<OpenRange> blocked_;
};

}  // namespace opass::allocators::disjunctive
