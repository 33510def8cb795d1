#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "opass/allocators/blocks.h"

namespace opass::allocators {

enum class Fit {
  kLowest,    // the lowest place
  kTightest,  // the smallest gap that holds the block, the lowest of those; above all if none does
};

// Keys by which blocks are ordered, the largest first, later keys where earlier ones tie.
using Key = std::int64_t (*)(const BlockProblem& problem, const Block& block);
std::int64_t SizeKey(const BlockProblem& problem, const Block& block);
std::int64_t DurationKey(const BlockProblem& problem, const Block& block);
std::int64_t AreaKey(const BlockProblem& problem, const Block& block);
std::int64_t EarlyBirthKey(const BlockProblem& problem, const Block& block);
std::int64_t WeightedSizeKey(const BlockProblem& problem, const Block& block);  // size*sqrt(steps)
// The most bytes live in a step of the block's life: the peak is packed before its surroundings.
std::int64_t PressureKey(const BlockProblem& problem, const Block& block);

// The block numbers by `keys`, then by birth, then by number.
std::vector<std::size_t> OrderBy(const BlockProblem& problem, std::span<const Key> keys);

// Places block after block where it meets none of those placed before. Adds to `work` the pieces
// that it compared. When interrupted, everything is placed in time instead (place_in_time.h).
std::vector<std::int64_t> PlaceInOrder(const BlockProblem& problem,
                                       std::span<const std::size_t> order, Fit fit,
                                       std::uint64_t& work);

// Per block: no base below this one is possible, whatever the order.
std::vector<std::int64_t> LeastBases(const BlockProblem& problem);

// The blocks by `keys`, each at the lowest place; in time instead where more than `max_work` pairs
// of blocks meet.
std::vector<std::int64_t> PlaceByKeys(const BlockProblem& problem, std::span<const Key> keys,
                                      std::uint64_t max_work);

}  // namespace opass::allocators
