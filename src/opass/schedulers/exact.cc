// The exact search: starts with the better of the greedy orders and ends with the best order there
// is, or with the best one found when its work runs out.

#include "opass/schedulers/search/exact.h"

#include "opass/bounds/lower_bound.h"
#include "opass/schedulers/scheduler.h"
#include "opass/schedulers/search/both_ways.h"
#include "opass/schedulers/search/greedy_steps.h"

namespace opass::schedulers {
namespace {

Result<std::vector<memory::OpId>> Run(const memory::StorageGraph& graph, const SchedulerOptions&) {
  const StepGraph steps(graph);
  const std::vector<memory::OpId> order = BetterOfBothWays(steps, GreedyOrder);
  bounds::LowerBoundOptions options;
  options.stop_at = PeakBytes(steps, order);
  options.order = order;
  return FindExact(graph, order, bounds::LowerBound(graph, options)).order;
}

}  // namespace

extern const Scheduler exact;
const Scheduler exact = {"exact", "the best order there is, and the proof, by exhaustive search",
                         Run};

}  // namespace opass::schedulers
