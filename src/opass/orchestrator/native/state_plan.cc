#include "opass/orchestrator/native/state_plan.h"

#include <algorithm>

#include "opass/analysis/profile.h"
#include "opass/bounds/lower_bound.h"
#include "opass/bounds/simple_bounds.h"
#include "opass/orchestrator/native/power_mean.h"
#include "opass/planner/order_search.h"
#include "opass/schedulers/scheduler.h"
#include "opass/schedulers/search/exact.h"

namespace opass::orchestrator {
namespace {

constexpr std::string_view kNearLinear[] = {"file_order", "depth_first", "greedy"};
// Work of the quick stage: milliseconds for hundreds of operators.
constexpr std::uint64_t kQuickCutWork = 50'000;
constexpr std::uint64_t kQuickNodes = 2'000;

memory::Certificate SimpleBound(const memory::StorageGraph& graph) {
  const memory::Certificate resident = bounds::ResidentBound(graph);
  const memory::Certificate largest = bounds::LargestOperatorBound(graph);
  return resident.bytes >= largest.bytes ? resident : largest;
}

// Whether `a` is the better schedule. Both are of the same graph.
bool IsBetter(const memory::Schedule& a, const memory::Schedule& b) {
  if (a.peak_bytes != b.peak_bytes) return a.peak_bytes < b.peak_bytes;
  const std::size_t num_steps = a.step_bytes.size();
  return PowerMean(a.step_bytes, num_steps) < PowerMean(b.step_bytes, num_steps);
}

}  // namespace

Result<std::unique_ptr<const StateProblem>> StateProblem::Make(
    const ir::Model& model, const analysis::PoseOptions& options) {
  OPASS_ASSIGN_OR_RETURN(analysis::PosedProblem posed, analysis::PoseProblem(model, options));
  return std::unique_ptr<const StateProblem>(new StateProblem(std::move(posed)));
}

std::int64_t QuickBound(const memory::StorageGraph& graph) {
  bounds::LowerBoundOptions options;
  options.max_work = kQuickCutWork;
  return bounds::LowerBound(graph, options).bytes;
}

Result<memory::Schedule> NearLinearSchedule(const memory::StorageGraph& graph) {
  memory::Schedule best;
  for (const std::string_view name : kNearLinear) {
    const schedulers::Scheduler* scheduler = schedulers::FindScheduler(name);
    OPASS_ASSIGN_OR_RETURN(auto order, scheduler->run(graph, {}));
    OPASS_ASSIGN_OR_RETURN(memory::Schedule schedule, memory::Evaluate(graph, std::move(order)));
    if (best.order.empty() || IsBetter(schedule, best)) best = std::move(schedule);
  }
  return best;
}

Result<memory::Schedule> QuickSchedule(const memory::StorageGraph& graph,
                                       const memory::Schedule& near_linear,
                                       std::int64_t bound_bytes) {
  memory::Schedule best = near_linear;
  if (best.peak_bytes <= bound_bytes) return best;
  schedulers::ExactOptions exact;
  exact.max_nodes = kQuickNodes;
  exact.max_cut_work = kQuickCutWork;
  auto found = schedulers::FindExact(graph, best.order, SimpleBound(graph), exact);
  OPASS_ASSIGN_OR_RETURN(memory::Schedule schedule,
                         memory::Evaluate(graph, std::move(found.order)));
  if (IsBetter(schedule, best)) best = std::move(schedule);
  return best;
}

Result<memory::Schedule> FullSchedule(const memory::StorageGraph& graph,
                                      const memory::Schedule& quick,
                                      const planner::PlanOptions& options) {
  OPASS_ASSIGN_OR_RETURN(planner::OrderSearch search, planner::SearchOrders(graph, options));
  memory::Schedule best = quick;
  for (planner::NamedSchedule& found : search.best) {
    if (IsBetter(found.schedule, best)) best = std::move(found.schedule);
  }
  return best;
}

std::vector<bool> ValuesAtPeak(const StateProblem& problem, const memory::Schedule& schedule) {
  const analysis::PosedProblem& posed = problem.posed();
  const memory::StorageGraph& graph = problem.graph();
  std::vector<bool> at_peak(posed.problem_value_of.size());
  if (schedule.order.empty()) return at_peak;
  std::vector<bool> is_live(graph.num_storages());
  for (const analysis::LiveStorage& live : analysis::ProfilePeak(graph, schedule).live) {
    is_live[graph.storage_of(live.value).index()] = true;
  }
  for (std::size_t i = 0; i < at_peak.size(); ++i) {
    if (!posed.problem_value_of[i].valid()) continue;
    const memory::StorageId storage = graph.storage_of(posed.problem_value_of[i]);
    at_peak[i] = storage.valid() && is_live[storage.index()];
  }
  return at_peak;
}

}  // namespace opass::orchestrator
