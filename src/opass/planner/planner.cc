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
#include "opass/support/interrupt.h"

namespace opass::planner {
namespace {

using allocators::Allocator;
using allocators::BlockProblem;

// The placement kept so far.
struct Placed {
  std::size_t candidate = 0;  // of OrderSearch::best
  std::string allocator;
  std::int64_t arena_bytes = 0;
  memory::Placement placement;
};

Result<std::vector<const Allocator*>> ChooseAllocators(const std::string& name) {
  std::vector<const Allocator*> chosen;
  std::string known = "auto";
  for (const Allocator& allocator : allocators::Allocators()) {
    known += fmt::format(", {}", allocator.name);
    if (name == "auto" || name == allocator.name) chosen.push_back(&allocator);
  }
  if (!chosen.empty()) return chosen;
  return InvalidInput(fmt::format("there is no allocator '{}'", name), "", "one of " + known);
}

// Tries the allocators on the candidates, in turn, until an arena is as small as the peak.
Result<Placed> PlaceBest(const memory::StorageGraph& graph, const OrderSearch& search,
                         const PlanOptions& options, std::vector<AllocatorArena>& tried) {
  OPASS_ASSIGN_OR_RETURN(const auto allocators, ChooseAllocators(options.allocator));
  allocators::AllocatorOptions allocator_options;
  allocator_options.seed = options.seed;
  Placed best;
  for (std::size_t i = 0; i < search.best.size(); ++i) {
    const NamedSchedule& candidate = search.best[i];
    const BlockProblem blocks = allocators::MakeBlocks(graph, candidate.schedule);
    for (const Allocator* allocator : allocators) {
      OPASS_ASSIGN_OR_RETURN(const auto bases, allocator->run(blocks, allocator_options));
      const std::int64_t arena = allocators::ArenaBytes(blocks, bases);
      tried.push_back({candidate.scheduler, std::string(allocator->name), arena});
      if (best.allocator.empty() || arena < best.arena_bytes) {
        best = {i, std::string(allocator->name), arena, allocators::PlaceBlocks(blocks, bases)};
      }
      if (best.arena_bytes == blocks.peak_bytes || Interrupted()) return best;
    }
  }
  return best;
}

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
  return plan;
}

}  // namespace

Result<PlanResult> MakePlan(const memory::Problem& original, const PlanOptions& options) {
  OPASS_RETURN_IF_ERROR(memory::Validate(original));
  const memory::Problem problem = memory::ApplySharing(original, options.sharing);
  const memory::StorageGraph graph(problem);
  OPASS_ASSIGN_OR_RETURN(OrderSearch search, SearchOrders(graph, options));
  PlanResult result;
  OPASS_ASSIGN_OR_RETURN(const Placed placed,
                         PlaceBest(graph, search, options, result.allocator_arenas));
  NamedSchedule& chosen = search.best[placed.candidate];
  result.plan = FillPlan(problem, options, search, chosen.schedule,
                         memory::MakeBuffers(graph, chosen.schedule, placed.placement));
  if (const Status status = memory::Check(original, result.plan); !status.ok()) {
    return InternalError("the checker refuses the plan: " + status.error().message,
                         status.error().where);
  }
  result.scheduler = std::move(chosen.scheduler);
  result.allocator = placed.allocator;
  result.schedule = std::move(chosen.schedule);
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
