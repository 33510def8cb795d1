#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "opass/allocators/blocks.h"
#include "opass/allocators/place_in_order.h"

namespace opass::allocators {

// Beyond these, every look at all blocks takes seconds.
inline constexpr std::size_t kManyBlocks = 20'000;

// A way to place the blocks, and where it put them.
struct Attempt {
  std::vector<std::size_t> order;  // empty: placed in time (place_in_time.h)
  Fit fit = Fit::kLowest;
  std::vector<std::int64_t> bases;
  std::int64_t arena_bytes = 0;
};

// The lowest arena of several orders, each placed in the tightest gaps and at the lowest places. No
// further order once the arena equals the peak, or `work` (which it adds to) exceeds `max_work`;
// where one order alone would exceed it, the blocks are placed in time. Many blocks are placed in
// time first, and then have a part of that work. The orders that put the steps of highest pressure
// first leave the least waste on large graphs (design "allocation" 4).
Attempt BestOrder(const BlockProblem& problem, std::uint64_t max_work, std::uint64_t& work);

}  // namespace opass::allocators
