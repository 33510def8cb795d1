#pragma once

#include "opass/memory/schedule.h"
#include "opass/memory/storage.h"

namespace opass::planner {

// The same order and peak with fewer takeovers: those are dropped without which their step still
// needs no more than the peak. Long chains of takeovers tie many buffers to one offset; without the
// needless ones an allocator has more room to choose, and the arena may come closer to the peak.
memory::Schedule RelaxTakeovers(const memory::StorageGraph& graph, memory::Schedule schedule);

}  // namespace opass::planner
