#include "opass/schedulers/search/both_ways.h"

#include <algorithm>

namespace opass::schedulers {

using memory::OpId;

std::int64_t PeakBytes(const StepGraph& graph, std::span<const OpId> order) {
  StepState state(graph, Direction::kForward);
  std::int64_t peak = state.live_bytes();
  for (const OpId op : order) {
    peak = std::max(peak, state.Cost(op).step_bytes);
    state.Take(op);
  }
  return peak;
}

std::vector<OpId> BetterOfBothWays(const StepGraph& graph, DirectedScheduler scheduler) {
  std::vector<OpId> forward = scheduler(graph, Direction::kForward);
  std::vector<OpId> reverse = scheduler(graph, Direction::kReverse);
  std::reverse(reverse.begin(), reverse.end());
  return PeakBytes(graph, reverse) < PeakBytes(graph, forward) ? reverse : forward;
}

}  // namespace opass::schedulers
