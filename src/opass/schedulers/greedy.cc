// One step after another, each the best by a look one step ahead: the lowest peak, then the fewest
// bytes live once everything that is then free has run. From both ends. Bounded looks: linear time.

#include "opass/schedulers/scheduler.h"
#include "opass/schedulers/search/both_ways.h"
#include "opass/schedulers/search/greedy_steps.h"

namespace opass::schedulers {
namespace {

Result<std::vector<memory::OpId>> Run(const memory::StorageGraph& graph, const SchedulerOptions&) {
  return BetterOfBothWays(StepGraph(graph), GreedyOrder);
}

}  // namespace

extern const Scheduler greedy;
const Scheduler greedy = {"greedy", "the best next step by a look one step ahead", Run};

}  // namespace opass::schedulers
