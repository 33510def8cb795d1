// The quick orders, swept from both ends: what frees bytes is moved to where it is needed first.

#include "opass/schedulers/search/sweep.h"

#include "opass/schedulers/scheduler.h"
#include "opass/schedulers/search/both_ways.h"

namespace opass::schedulers {
namespace {

Result<std::vector<memory::OpId>> Run(const memory::StorageGraph& graph,
                                      const SchedulerOptions& options) {
  const StepGraph steps(graph);
  std::vector<memory::OpId> best;
  for (const char* name : {"file_order", "depth_first", "greedy"}) {
    OPASS_ASSIGN_OR_RETURN(auto order, FindScheduler(name)->run(graph, options));
    order = Sweep(graph, order, 0);
    if (best.empty() || PeakBytes(steps, order) < PeakBytes(steps, best)) best = std::move(order);
  }
  return best;
}

}  // namespace

extern const Scheduler sweep;
const Scheduler sweep = {"sweep", "the quick orders, with what frees bytes moved to where it helps",
                         Run};

}  // namespace opass::schedulers
