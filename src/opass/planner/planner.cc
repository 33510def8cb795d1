#include "opass/planner/planner.h"

#include <fmt/format.h>

#include <algorithm>

#include "opass/allocators/allocator.h"
#include "opass/allocators/blocks.h"
#include "opass/memory/apply_sharing.h"
#include "opass/memory/buffers.h"
#include "opass/memory/check.h"
#include "opass/memory/storage.h"
#include "opass/planner/order_search.h"
#include "opass/planner/relax_takeovers.h"
#include "opass/support/interrupt.h"

namespace opass::planner {
namespace {

using allocators::Allocator;
using allocators::BlockProblem;

// The placement kept so far.
struct Placed {
  std::string scheduler;
  std::string allocator;
  std::int64_t arena_bytes = 0;
  memory::Schedule schedule;
  memory::Placement placement;
};

Result<std::vector<const Allocator*>> ChooseAllocators(const std::string& name) {
  std::vector<const Allocator*> chosen;
  std::string known = "auto";
  for (const Allocator& allocator : allocators::Allocators()) {
    known += fmt::format(", {}", allocator.name);
    if (name == "auto" || name == allocator.name) chosen.push_back(&allocator);
  }
  // The one that takes longest comes last.
  std::stable_partition(chosen.begin(), chosen.end(),
                        [](const Allocator* each) { return each->name != "exact"; });
  if (!chosen.empty()) return chosen;
  return InvalidInput(fmt::format("there is no allocator '{}'", name), "", "one of " + known);
}

class Placer {
 public:
  Placer(const memory::StorageGraph& graph, std::vector<const Allocator*> allocators,
         std::uint64_t seed)
      : graph_(graph), allocators_(std::move(allocators)), seed_(seed) {}

  // Tries the allocators on the candidates, in turn, until an arena is as small as the peak.
  Status Run(const std::vector<NamedSchedule>& candidates) {
    for (const NamedSchedule& candidate : candidates) OPASS_RETURN_IF_ERROR(Try(candidate));
    for (const NamedSchedule& candidate : candidates) {
      if (done_) break;
      const NamedSchedule relaxed{candidate.scheduler, RelaxTakeovers(graph_, candidate.schedule)};
      if (relaxed.schedule.takes_over == candidate.schedule.takes_over) continue;
      OPASS_RETURN_IF_ERROR(Try(relaxed));
    }
    return {};
  }

  bool done() const { return done_; }  // nothing smaller is possible
  Placed& best() { return best_; }
  std::vector<AllocatorArena>& tried() { return tried_; }

 private:
  Status Try(const NamedSchedule& candidate) {
    if (done_) return {};
    const BlockProblem blocks = allocators::MakeBlocks(graph_, candidate.schedule);
    allocators::AllocatorOptions options;
    options.seed = seed_;
    for (const Allocator* allocator : allocators_) {
      OPASS_ASSIGN_OR_RETURN(const auto bases, allocator->run(blocks, options));
      const std::int64_t arena = allocators::ArenaBytes(blocks, bases);
      tried_.push_back({candidate.scheduler, std::string(allocator->name), arena});
      if (best_.allocator.empty() || arena < best_.arena_bytes) {
        best_ = {candidate.scheduler, std::string(allocator->name), arena, candidate.schedule,
                 allocators::PlaceBlocks(blocks, bases)};
      }
      done_ = best_.arena_bytes == blocks.peak_bytes || Interrupted();
      if (done_) return {};
    }
    return {};
  }

  const memory::StorageGraph& graph_;
  std::vector<const Allocator*> allocators_;
  std::uint64_t seed_;
  Placed best_;
  std::vector<AllocatorArena> tried_;
  bool done_ = false;
};

memory::Plan FillPlan(const memory::Problem& problem, const PlanOptions& options,
                      const OrderSearch& search, const memory::Schedule& schedule,
                      std::vector<memory::Buffer> buffers) {
  memory::Plan plan;
  plan.target = options.target;
  plan.sharing = options.sharing;
  plan.alignment = problem.alignment;
  plan.inputs = problem.inputs;
  plan.arena_bytes = memory::ArenaBytes(buffers);
  plan.peak_bytes = schedule.peak_bytes;
  plan.lower_bound_bytes = search.bound.bytes;
  plan.proven_optimal = schedule.peak_bytes == search.bound.bytes;
  plan.weights_bytes = options.weights_bytes;
  plan.sum_bytes = memory::SumBytes(problem);
  plan.sum_with_weights_bytes = plan.sum_bytes + plan.weights_bytes;
  plan.file_order_peak_bytes = options.file_order_peak_bytes.value_or(search.file_order.peak_bytes);
  plan.order = schedule.order;
  plan.buffers = std::move(buffers);
  plan.unplanned_values = options.unplanned_values;
  plan.certificate = search.bound;
  if (plan.certificate.order == plan.order) plan.certificate.order.clear();
  return plan;
}

}  // namespace

Result<PlanResult> MakePlan(const memory::Problem& original, const PlanOptions& options) {
  OPASS_RETURN_IF_ERROR(memory::Validate(original));
  const memory::Problem problem = memory::ApplySharing(original, options.sharing);
  const memory::StorageGraph graph(problem);
  OPASS_ASSIGN_OR_RETURN(OrderSearch search, SearchOrders(graph, options));
  OPASS_ASSIGN_OR_RETURN(auto chosen, ChooseAllocators(options.allocator));
  Placer placer(graph, std::move(chosen), options.seed);
  OPASS_RETURN_IF_ERROR(placer.Run(search.best));
  if (!placer.done()) {
    OPASS_ASSIGN_OR_RETURN(const auto others, OtherOrders(graph, options, search));
    OPASS_RETURN_IF_ERROR(placer.Run(others));
  }
  Placed& placed = placer.best();
  PlanResult result;
  result.plan = FillPlan(problem, options, search, placed.schedule,
                         memory::MakeBuffers(graph, placed.schedule, placed.placement));
  if (const Status status = memory::Check(original, result.plan); !status.ok()) {
    return InternalError("the checker refuses the plan: " + status.error().message,
                         status.error().where);
  }
  result.scheduler = std::move(placed.scheduler);
  result.allocator = std::move(placed.allocator);
  result.schedule = std::move(placed.schedule);
  result.allocator_arenas = std::move(placer.tried());
  result.file_order = std::move(search.file_order);
  result.scheduler_peaks = std::move(search.tried);
  return result;
}

Result<std::int64_t> PeakBytes(const memory::Problem& original, const PlanOptions& options) {
  OPASS_RETURN_IF_ERROR(memory::Validate(original));
  const memory::Problem problem = memory::ApplySharing(original, options.sharing);
  const memory::StorageGraph graph(problem);
  OPASS_ASSIGN_OR_RETURN(const OrderSearch search, SearchOrders(graph, options));
  return search.best.front().schedule.peak_bytes;
}

}  // namespace opass::planner
