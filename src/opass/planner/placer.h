#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "opass/allocators/allocator.h"
#include "opass/memory/buffers.h"
#include "opass/memory/schedule.h"
#include "opass/memory/storage.h"
#include "opass/planner/order_search.h"
#include "opass/planner/planner.h"

namespace opass::planner {

// An order and its placement.
struct Placed {
  std::string scheduler;
  std::string allocator;
  std::int64_t arena_bytes = 0;
  memory::Schedule schedule;
  memory::Placement placement;
};

// The allocator of that name, or all for "auto", the slowest last. Error (kInvalidInput): there is
// none.
Result<std::vector<const allocators::Allocator*>> ChooseAllocators(const std::string& name);

// Keeps the placement with the smallest arena of all that it tries.
class Placer {
 public:
  Placer(const memory::StorageGraph& graph, std::vector<const allocators::Allocator*> allocators,
         const PlanOptions& options, std::int64_t bound_bytes)
      : graph_(graph),
        allocators_(std::move(allocators)),
        options_(options),
        bound_bytes_(bound_bytes) {}

  // Tries the allocators on the candidates, in turn, until an arena is as small as the peak.
  Status Run(const std::vector<NamedSchedule>& candidates);

  bool done() const { return done_; }  // nothing smaller is possible, or the time is over
  Placed& best() { return best_; }
  std::vector<AllocatorArena>& tried() { return tried_; }

 private:
  Status Try(const NamedSchedule& candidate);

  const memory::StorageGraph& graph_;
  std::vector<const allocators::Allocator*> allocators_;
  const PlanOptions& options_;
  std::int64_t bound_bytes_;  // of the orders, for the progress
  Placed best_;
  std::vector<AllocatorArena> tried_;
  bool done_ = false;
};

}  // namespace opass::planner
