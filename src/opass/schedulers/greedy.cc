// One step after another, each the best by a look one step ahead: the lowest peak, then the fewest
// bytes live once everything that is then free has run. From both ends. Bounded looks: linear time.

#include "opass/schedulers/scheduler.h"
#include "opass/schedulers/search/both_ways.h"
#include "opass/schedulers/search/greedy_steps.h"

namespace opass::schedulers {
namespace {

using memory::OpId;

// Operators that a step looks at: on small graphs nearly all, on large ones a few.
std::size_t MaxLooked(std::size_t num_ops) { return num_ops <= 4000 ? 64 : 16; }

std::vector<OpId> Directed(const StepGraph& graph, Direction direction, int) {
  StepState state(graph, direction);
  CompleteGreedily(state, state.live_bytes(), MaxLooked(graph.num_ops()));
  return {state.path().begin(), state.path().end()};
}

Result<std::vector<OpId>> Run(const memory::StorageGraph& graph, const SchedulerOptions&) {
  return BetterOfBothWays(StepGraph(graph), Directed);
}

}  // namespace

extern const Scheduler greedy;
const Scheduler greedy = {"greedy", "the best next step by a look one step ahead", Run};

}  // namespace opass::schedulers
