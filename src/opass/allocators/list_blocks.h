#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "opass/allocators/blocks.h"
#include "opass/allocators/buffer_list.h"
#include "opass/allocators/resolve_pools.h"
#include "opass/support/result.h"

namespace opass::allocators {

// What a unit needs, whatever its pool. Where several of its buffers live, bytes count once.
struct UnitBlock {
  Block block;                            // steps as listed; without pieces if it has no bytes
  std::vector<std::int64_t> delta_bytes;  // per buffer of the unit
};

// Error (kInvalidInput): pins or alignments of a group that contradict each other, a group of more
// than 4096 buffers and gaps, sizes beyond all measure.
Result<UnitBlock> MakeUnitBlock(std::span<const ListedBuffer> buffers, const Unit& unit);

// The blocks of one pool. peak_bytes is the lower bound.
struct PoolBlocks {
  BlockProblem problem;
  std::int64_t max_live_bytes = 0;
};

// `blocks` have pieces. Error (kInvalidInput): what they and the ranges take together is beyond all
// measure.
Result<PoolBlocks> MakePoolBlocks(std::vector<Block> blocks, const Pool& pool);

}  // namespace opass::allocators
