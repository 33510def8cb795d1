#include "opass/planner/planner.h"

#include <algorithm>
#include <chrono>

#include "opass/memory/apply_sharing.h"
#include "opass/memory/buffers.h"
#include "opass/memory/check.h"
#include "opass/memory/storage.h"
#include "opass/planner/order_search.h"
#include "opass/planner/placer.h"
#include "opass/support/interrupt.h"

namespace opass::planner {
namespace {

using Clock = std::chrono::steady_clock;

// Of the time for search and placement, what the search may take.
constexpr double kShareOfSearch = 0.9;
// Too late is a limit, too: the first order that comes.
constexpr double kLeastSeconds = 1e-6;

// For a Deadline: a share of what is left of the current one, less what is kept.
double SecondsWithin(double share, double kept_seconds) {
  const Deadline* current = Deadline::Current();
  const std::optional<double> left = current ? current->SecondsLeft() : std::nullopt;
  return left ? std::max(kLeastSeconds, share * (*left - kept_seconds)) : 0;
}

struct Planned {
  OrderSearch search;
  Placed placed;
  std::vector<AllocatorArena> allocator_arenas;
  double placement_seconds = 0;
  bool stopped = false;  // told to end before all was done
};

Result<OrderSearch> SearchInTime(const memory::StorageGraph& graph, const PlanOptions& options,
                                 bool& stopped) {
  const Deadline deadline(SecondsWithin(kShareOfSearch, 0));
  auto search = SearchOrders(graph, options);
  stopped = deadline.passed();
  return search;
}

// Keeps `kept_seconds` of the time, if there is a limit, for what follows.
Result<Planned> SearchAndPlace(const memory::StorageGraph& graph, const PlanOptions& options,
                               double kept_seconds) {
  Planned planned;
  const Deadline deadline(SecondsWithin(1, kept_seconds));
  OPASS_ASSIGN_OR_RETURN(auto chosen, ChooseAllocators(options.allocator));
  OPASS_ASSIGN_OR_RETURN(planned.search, SearchInTime(graph, options, planned.stopped));
  const auto start = Clock::now();
  Placer placer(graph, std::move(chosen), options, planned.search.bound.bytes);
  OPASS_RETURN_IF_ERROR(placer.Run(planned.search.best));
  if (!placer.done()) {
    OPASS_ASSIGN_OR_RETURN(const auto others, OtherOrders(graph, options, planned.search));
    OPASS_RETURN_IF_ERROR(placer.Run(others));
  }
  planned.placement_seconds = std::chrono::duration<double>(Clock::now() - start).count();
  planned.placed = std::move(placer.best());
  planned.allocator_arenas = std::move(placer.tried());
  planned.stopped = planned.stopped || deadline.passed();
  return planned;
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
  if (plan.certificate.order == plan.order) plan.certificate.order.clear();
  return plan;
}

}  // namespace

Result<PlanResult> MakePlan(const memory::Problem& original, const PlanOptions& options) {
  if (!(options.time_limit_seconds >= 0)) return InvalidInput("the time limit is negative");
  const Deadline deadline(options.time_limit_seconds);
  const auto start = Clock::now();
  OPASS_RETURN_IF_ERROR(memory::Validate(original));
  const memory::Problem problem = memory::ApplySharing(original, options.sharing);
  const memory::StorageGraph graph(problem);
  // The check of the plan takes two to five times as long: it reads all again and proves the bound.
  const double kept_seconds = 4 * std::chrono::duration<double>(Clock::now() - start).count();
  OPASS_ASSIGN_OR_RETURN(Planned planned, SearchAndPlace(graph, options, kept_seconds));
  Placed& placed = planned.placed;
  PlanResult result;
  result.plan = FillPlan(problem, options, planned.search, placed.schedule,
                         memory::MakeBuffers(graph, placed.schedule, placed.placement));
  result.plan.deterministic = !planned.stopped;
  if (const Status status = memory::Check(original, result.plan); !status.ok()) {
    return InternalError("the checker refuses the plan: " + status.error().message,
                         status.error().where);
  }
  result.scheduler = std::move(placed.scheduler);
  result.allocator = std::move(placed.allocator);
  result.schedule = std::move(placed.schedule);
  result.allocator_arenas = std::move(planned.allocator_arenas);
  result.placement_seconds = planned.placement_seconds;
  result.file_order = std::move(planned.search.file_order);
  result.scheduler_peaks = std::move(planned.search.tried);
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
