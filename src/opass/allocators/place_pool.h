#pragma once

#include <cstdint>
#include <vector>

#include "opass/allocators/allocate_list.h"
#include "opass/allocators/list_blocks.h"
#include "opass/support/result.h"

namespace opass::allocators {

struct PlacedPool {
  std::vector<std::int64_t> bases;  // per block
  std::int64_t arena_bytes = 0;
  std::int64_t lower_bound_bytes = 0;
};

// Places the blocks of one pool as low as it can. Fixed blocks must not be in each other's way.
Result<PlacedPool> PlacePool(const PoolBlocks& pool, const AllocateOptions& options);

}  // namespace opass::allocators
