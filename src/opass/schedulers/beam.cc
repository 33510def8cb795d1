// Beam search from both ends: the best few partial orders of each length are continued, wider and
// wider, each round only for orders better than the best so far. Starts with the greedy order. The
// width that its work allows falls with the size of the problem.

#include <algorithm>
#include <limits>

#include "opass/bounds/lower_bound.h"
#include "opass/schedulers/scheduler.h"
#include "opass/schedulers/search/beam_search.h"
#include "opass/schedulers/search/both_ways.h"
#include "opass/schedulers/search/greedy_steps.h"

namespace opass::schedulers {
namespace {

using memory::OpId;

// Beyond it states are too large to keep several.
constexpr std::size_t kMaxOps = 10'000;
constexpr int kWidths[] = {8, 32, 96};
constexpr std::uint64_t kWorkPerWidth = 20'000;
constexpr std::uint64_t kWorkForFloor = 20'000'000;

class WideningBeam {
 public:
  explicit WideningBeam(const memory::StorageGraph& graph)
      : graph_(graph),
        best_(BetterOfBothWays(graph_, GreedyOrder)),
        best_bytes_(PeakBytes(graph_, best_)) {
    bounds::LowerBoundOptions options;
    options.stop_at = best_bytes_;
    options.max_work = kWorkForFloor;
    options.order = best_;
    floor_bytes_ = bounds::LowerBound(graph, options).bytes;
  }

  void Round(int width, std::uint64_t work) {
    for (const Direction direction : {Direction::kReverse, Direction::kForward}) {
      if (best_bytes_ <= floor_bytes_) return;
      BeamOptions options;
      options.floor_bytes = floor_bytes_;
      options.ceiling_bytes = best_bytes_;
      options.max_width = width;
      options.max_work = work;
      auto order = BeamSearch(graph_, direction, options);
      if (!order) continue;
      if (direction == Direction::kReverse) std::reverse(order->begin(), order->end());
      best_ = *std::move(order);
      best_bytes_ = PeakBytes(graph_, best_);
    }
  }

  std::vector<OpId> TakeBest() { return std::move(best_); }

 private:
  StepGraph graph_;
  std::vector<OpId> best_;
  std::int64_t best_bytes_;
  std::int64_t floor_bytes_ = 0;
};

Result<std::vector<OpId>> Run(const memory::StorageGraph& graph, const SchedulerOptions& options) {
  if (graph.num_ops() > kMaxOps) return BetterOfBothWays(StepGraph(graph), GreedyOrder);
  WideningBeam beam(graph);
  if (options.beam_width > 0) {
    beam.Round(options.beam_width, std::numeric_limits<std::uint64_t>::max());
  } else {
    for (const int width : kWidths)
      beam.Round(width, kWorkPerWidth * static_cast<std::uint64_t>(width));
  }
  return beam.TakeBest();
}

}  // namespace

extern const Scheduler beam;
const Scheduler beam = {"beam", "the best partial orders of each length, from both ends", Run};

}  // namespace opass::schedulers
