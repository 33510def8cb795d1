#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "opass/allocators/blocks.h"
#include "opass/allocators/exact/stop.h"

namespace opass::allocators::disjunctive {

struct MinimiseOptions {
  std::uint64_t seed = 0;
  std::uint64_t max_work = 0;  // conflicts and pieces looked at
  // When given, the search ends when this arena is reached or refuted.
  std::optional<std::int64_t> capacity_bytes = std::nullopt;
  bool use_symmetry = true;  // off only to test the rule
  bool by_sides = true;      // which searches to use; off only to test the other one
  bool by_places = true;
};

struct Minimised {
  std::vector<std::int64_t> bases;  // per block of the problem; never worse than those given
  std::int64_t arena_bytes = 0;
  // No arena is smaller: problem.peak_bytes, or one more than an arena refuted by a search that
  // ended.
  std::int64_t lower_bound_bytes = 0;
};

// Lowers the arena of a layout part by part of the problem, the part that makes the arena first,
// until the bound is reached or the work is spent: restarts of both searches, below capacities
// between bound and arena. Parts too large to search stay as they are.
Minimised Minimise(const BlockProblem& problem, std::vector<std::int64_t> bases,
                   const MinimiseOptions& options, const exact_offsets::Stop* stop = nullptr);

}  // namespace opass::allocators::disjunctive
