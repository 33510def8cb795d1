#pragma once

#include <cstdint>
#include <vector>

#include "opass/memory/plan.h"
#include "opass/memory/schedule.h"
#include "opass/memory/storage.h"

namespace opass::memory {

// Where an allocator put things.
struct Placement {
  std::vector<std::int64_t> storage_offsets;    // per storage of the graph
  std::vector<std::int64_t> workspace_offsets;  // per operator; of no meaning without workspace
};

// The bytes that hold something at some time, as steps [first, last); {0, 0} when none do.
struct Lifetime {
  std::int64_t first = 0;
  std::int64_t last = 0;
};

// Per storage, through all its aliases.
std::vector<Lifetime> StorageLifetimes(const StorageGraph& graph, const Schedule& schedule);

// The buffers of a plan, in the plan's order: by `first`, then values before workspaces, then id.
std::vector<Buffer> MakeBuffers(const StorageGraph& graph, const Schedule& schedule,
                                const Placement& placement);

// The largest offset + size.
std::int64_t ArenaBytes(const std::vector<Buffer>& buffers);

// Every value's size, unrounded, without any reuse.
std::int64_t SumBytes(const Problem& problem);

}  // namespace opass::memory
