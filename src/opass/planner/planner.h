#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "opass/memory/plan.h"
#include "opass/memory/problem.h"
#include "opass/memory/schedule.h"
#include "opass/planner/plan_progress.h"
#include "opass/support/result.h"

// From a Problem to a checked Plan.
namespace opass::planner {

struct PlanOptions {
  std::string target = "generic";
  memory::Sharing sharing;
  // "auto", or the name of one scheduler or allocator. `auto` tries all and keeps the best.
  std::string scheduler = "auto";
  std::string allocator = "auto";
  std::uint64_t seed = 0;
  int threads = 1;  // of the search; the plan is the same for any number
  // Ends planning with the best so far, which another run need not find; 0: never. The plan says
  // whether it was cut short (`deterministic`).
  double time_limit_seconds = 0;
  // Told what begins and what is known so far, in the thread of the call, some hundred times.
  std::function<void(const PlanProgress&)> on_progress;
  // Figures that only the caller knows; they are written into the plan.
  std::int64_t weights_bytes = 0;
  std::optional<std::int64_t> file_order_peak_bytes;  // default: of this problem
  std::vector<std::string> unplanned_values;
};

struct SchedulerPeak {
  std::string scheduler;
  std::int64_t peak_bytes = 0;
};

struct AllocatorArena {
  std::string scheduler;  // whose order was placed; again without needless takeovers if need be
  std::string allocator;
  std::int64_t arena_bytes = 0;
};

struct PlanResult {
  memory::Plan plan;
  memory::Schedule schedule;  // of the plan
  memory::Schedule file_order;
  std::string scheduler;  // those that made the plan
  std::string allocator;
  std::vector<SchedulerPeak> scheduler_peaks;    // of all that ran, in the order they ran
  std::vector<AllocatorArena> allocator_arenas;  // the same of allocators
  double placement_seconds = 0;                  // what followed the search for an order
};

// Orders the operators for low peak memory and places every buffer; the plan has passed
// memory::Check. With `auto` the peak is the least of all schedulers, hence never above the file
// order's, and of several orders with this peak the one with the smallest arena is kept; no further
// scheduler runs once the peak equals the lower bound, no further allocator once the arena equals
// the peak. Takeovers that the peak does not need are given up where that makes the arena smaller.
// Errors: an invalid problem, an unknown name, a negative time limit; kInternal when the checker
// refuses.
Result<PlanResult> MakePlan(const memory::Problem& problem, const PlanOptions& options);

// The peak of the plan alone, for problems that are a part of others (the bodies of If and Loop).
Result<std::int64_t> PeakBytes(const memory::Problem& problem, const PlanOptions& options);

}  // namespace opass::planner
