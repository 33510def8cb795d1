// Starts from the best order of depth_first and greedy and reorders stretches of it around the
// peak, each by a small exact search. For graphs too large to be searched as a whole.

#include "opass/schedulers/search/windows.h"

#include "opass/bounds/lower_bound.h"
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
    if (best.empty() || PeakBytes(steps, order) < PeakBytes(steps, best)) best = std::move(order);
  }
  bounds::LowerBoundOptions bound_options;
  bound_options.stop_at = PeakBytes(steps, best);
  bound_options.order = best;
  WindowOptions window_options;
  window_options.floor_bytes = bounds::LowerBound(graph, bound_options).bytes;
  return ImproveByWindows(graph, best, window_options);
}

}  // namespace

extern const Scheduler windows;
const Scheduler windows = {"windows", "the best quick order, reordered in stretches at its peak",
                           Run};

}  // namespace opass::schedulers
