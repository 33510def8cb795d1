#pragma once

#include <cstdint>
#include <vector>

#include "opass/memory/problem.h"

namespace opass::memory {

// An order of all operators and the in-place takeovers chosen along it.
struct Schedule {
  std::vector<OpId> order;
  // Per value: the input whose storage it takes over (Op::in_place), or invalid.
  std::vector<ValueId> takes_over;
  // Bytes live during each step (docs/memory_model.md), and their maximum, at least the bytes live
  // before the first step.
  std::vector<std::int64_t> step_bytes;
  std::int64_t peak_bytes = 0;
};

}  // namespace opass::memory
