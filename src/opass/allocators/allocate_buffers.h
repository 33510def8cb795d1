#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "opass/allocators/allocate_list.h"
#include "opass/allocators/buffer_list.h"
#include "opass/support/result.h"

namespace opass::allocators {

// What was found for one pool.
struct PoolAllocation {
  Pool pool;
  std::int64_t arena_bytes = 0;
  std::int64_t max_live_bytes = 0;
  // No arena of the buffers that lie here is smaller: max_live_bytes, more where alignments, pins
  // and forbidden ranges need it, or where every lower arena was refuted by a search that ended.
  std::int64_t lower_bound_bytes = 0;
};

struct BufferAllocation {
  std::vector<std::int64_t> offsets;
  std::vector<std::size_t> pool_of_buffer;  // numbers of `pools`
  std::vector<PoolAllocation> pools;
  // Buffers had a choice of pools: the bounds hold for the one that was made only.
  bool has_choice = false;
  std::int64_t max_live_bytes = 0;  // in all pools together, at a time; whatever the choice
};

// Offsets that keep all constraints, each pool's arena as low as found; whether they are within the
// capacities is for the caller to see. Plain lists are placed by AllocateList; others by the
// allocators, then where all are aligned alike by AllocateList on rounded sizes, then by the search
// of folder disjunctive. options.capacity_bytes is that of a pool without one. The result has
// passed CheckLayout. Errors: kInvalidInput: constraints that contradict each other in themselves;
// kNotPossible (does-not-fit): pins that overlap; kInternal: our own bug.
Result<BufferAllocation> AllocateBuffers(const BufferList& list, const AllocateOptions& options);

}  // namespace opass::allocators
