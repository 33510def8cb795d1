#pragma once

#include <cstdint>
#include <vector>

#include "opass/allocators/blocks.h"

namespace opass::allocators {

// Pairs of blocks that live in the same step: what placing one after the other in any order of
// theirs (place_in_order.h) compares.
std::uint64_t CountMeetings(const BlockProblem& problem);

// Places the blocks in the order of their births, each in the tightest gap that the dead have left,
// as a heap would; then the same backward in time; the lower arena is kept. O(blocks log blocks):
// for large problems, and for whoever has no time for more. Blocks of one step: the largest first.
// A block keeps the room of its whole hull. Where blocks are fixed or bytes forbidden, the others
// lie above all of these.
std::vector<std::int64_t> PlaceInTime(const BlockProblem& problem);

}  // namespace opass::allocators
