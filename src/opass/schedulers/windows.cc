// Starts from the orders of depth_first and greedy and from the file's, and reorders stretches of
// them around the peak, each by a small exact search. For graphs too large to be searched as a
// whole.

#include "opass/bounds/lower_bound.h"
#include "opass/schedulers/scheduler.h"
#include "opass/schedulers/search/both_ways.h"
#include "opass/schedulers/search/window_starts.h"

namespace opass::schedulers {
namespace {

Result<std::vector<memory::OpId>> Run(const memory::StorageGraph& graph,
                                      const SchedulerOptions& options) {
  const StepGraph steps(graph);
  std::vector<std::vector<memory::OpId>> starts;
  std::vector<memory::OpId> best;
  for (const char* name : {"file_order", "depth_first", "greedy"}) {
    OPASS_ASSIGN_OR_RETURN(auto order, FindScheduler(name)->run(graph, options));
    if (best.empty() || PeakBytes(steps, order) < PeakBytes(steps, best)) best = order;
    starts.push_back(std::move(order));
  }
  bounds::LowerBoundOptions bound_options;
  bound_options.stop_at = PeakBytes(steps, best);
  bound_options.order = best;
  return BestByWindows(graph, starts, bounds::LowerBound(graph, bound_options).bytes);
}

}  // namespace

extern const Scheduler windows;
const Scheduler windows = {"windows", "the quick orders, reordered in stretches at their peaks",
                           Run};

}  // namespace opass::schedulers
