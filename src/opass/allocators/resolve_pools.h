#pragma once

#include <cstddef>
#include <vector>

#include "opass/allocators/buffer_list.h"
#include "opass/support/result.h"

namespace opass::allocators {

constexpr std::size_t kAnyPool = static_cast<std::size_t>(-1);

// Buffers that are placed together: a group, or one by itself.
struct Unit {
  std::vector<std::size_t> buffers;  // numbers, ascending
  std::size_t pool = kAnyPool;       // a number
};

// A list sorted out: all pools, with forbidden ranges ascending, apart and not empty, and the units
// in the order of their first buffers.
struct ResolvedList {
  std::vector<Pool> pools;
  std::vector<Unit> units;
};

// Error (kInvalidInput): a buffer that ValidateBuffer refuses, a group in two pools, two pools of a
// name, one without a name beside others, a capacity or range that no pool can have.
Result<ResolvedList> ResolvePools(const BufferList& list);

}  // namespace opass::allocators
