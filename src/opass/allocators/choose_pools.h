#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "opass/allocators/list_blocks.h"
#include "opass/allocators/resolve_pools.h"

namespace opass::allocators {

// A pool for every unit that may go to any, by what lives there: the largest first, each into the
// first pool in which no step gets more than `room_bytes` of it, or, where there is none, into the
// one that exceeds its room least. `room_bytes`: per pool, at most what fits; all of int64: no end.
std::vector<std::size_t> ChoosePools(std::span<const Unit> units, std::span<const UnitBlock> blocks,
                                     std::span<const std::int64_t> room_bytes);

}  // namespace opass::allocators
