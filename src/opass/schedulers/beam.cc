// Beam search from both ends: the best few partial orders of each length are continued. The width
// falls with the size of the problem; the largest ones are left to the linear schedulers.

#include <limits>

#include "opass/schedulers/scheduler.h"
#include "opass/schedulers/search/beam_search.h"
#include "opass/schedulers/search/both_ways.h"

namespace opass::schedulers {
namespace {

using memory::OpId;

// Beyond it states are too large to keep several.
constexpr std::size_t kMaxOps = 10'000;

std::vector<OpId> Directed(const StepGraph& graph, Direction direction, int beam_width) {
  BeamOptions options;
  if (beam_width > 0) {
    options.max_width = beam_width;
    options.max_work = std::numeric_limits<std::uint64_t>::max();
  }
  return BeamSearch(graph, direction, options);
}

Result<std::vector<OpId>> Run(const memory::StorageGraph& graph, const SchedulerOptions& options) {
  if (graph.num_ops() > kMaxOps) return FindScheduler("file_order")->run(graph, options);
  return BetterOfBothWays(StepGraph(graph), Directed, options.beam_width);
}

}  // namespace

extern const Scheduler beam;
const Scheduler beam = {"beam", "the best partial orders of each length, from both ends", Run};

}  // namespace opass::schedulers
