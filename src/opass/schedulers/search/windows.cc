#include "opass/schedulers/search/windows.h"

#include <algorithm>
#include <optional>

#include "opass/schedulers/search/both_ways.h"
#include "opass/schedulers/search/decide.h"
#include "opass/schedulers/search/exact.h"
#include "opass/schedulers/search/part.h"
#include "opass/schedulers/search/step_state.h"
#include "opass/support/interrupt.h"

namespace opass::schedulers {
namespace {

using memory::OpId;

constexpr std::size_t kWidths[] = {48, 96, 192, 384, 768, 1536, 3072};
// Where the step of the peak lies in the window, in quarters of the width.
constexpr std::size_t kPlacements[] = {2, 1, 3};
constexpr int kMaxLowerings = 4;  // budgets tried in a window that helps
constexpr std::uint64_t kWorkPerNode = 50;
constexpr std::uint64_t kCutWork = 250'000;
constexpr std::uint64_t kWorkPerOp = 20;  // of a window, to pose it
constexpr std::size_t kMaxMemoBytes = std::size_t{64} << 20;

class Windows {
 public:
  Windows(const memory::StorageGraph& graph, std::span<const OpId> order,
          const WindowOptions& options)
      : graph_(graph),
        options_(options),
        order_(order.begin(), order.end()),
        position_(order.size()),
        step_bytes_(order.size()),
        live_bytes_(order.size() + 1) {
    const StepGraph steps(graph);
    StepState state(steps, Direction::kForward);
    live_bytes_[0] = state.live_bytes();
    for (std::size_t k = 0; k < order_.size(); ++k) Take(state, order_[k], order_[k], k);
  }

  WindowResult Run() {
    while (peak_bytes() > options_.floor_bytes && LowerPeak()) {
    }
    return {std::move(order_), !Spent()};
  }

 private:
  struct Window {
    std::size_t first = 0;
    std::size_t last = 0;
    friend bool operator==(const Window&, const Window&) = default;
  };

  bool Spent() const { return work_ >= options_.max_work || Interrupted(); }

  std::int64_t peak_bytes() const {
    return std::max(live_bytes_[0], *std::ranges::max_element(step_bytes_));
  }

  // Step k of the order takes `op`, which is `taken` in the state's graph.
  void Take(StepState& state, OpId op, OpId taken, std::size_t k) {
    order_[k] = op;
    position_[op.index()] = k;
    step_bytes_[k] = state.Cost(taken).step_bytes;
    state.Take(taken);
    live_bytes_[k + 1] = state.live_bytes();
  }

  // Lowers every step that needs as much as the peak. False: one of them stays.
  bool LowerPeak() {
    const std::int64_t peak = peak_bytes();
    if (live_bytes_[0] == peak) return false;
    for (std::size_t k = 0; k < order_.size(); ++k) {
      if (step_bytes_[k] == peak && !LowerStep(k, peak)) return false;
    }
    return true;
  }

  bool LowerStep(std::size_t step, std::int64_t peak) {
    std::vector<Window> tried;
    for (const std::size_t width : kWidths) {
      for (const std::size_t placement : kPlacements) {
        if (Spent()) return false;
        const Window window = Snap(step, width, placement);
        if (std::ranges::find(tried, window) != tried.end()) continue;
        tried.push_back(window);
        if (Improve(window, peak)) return true;
      }
    }
    return false;
  }

  // The state of the fewest live bytes among those [first, last].
  std::size_t Valley(std::size_t first, std::size_t last) const {
    const auto begin = live_bytes_.begin();
    return static_cast<std::size_t>(
        std::min_element(begin + static_cast<std::ptrdiff_t>(first),
                         begin + static_cast<std::ptrdiff_t>(last) + 1) -
        begin);
  }

  Window Snap(std::size_t step, std::size_t width, std::size_t placement) const {
    const std::size_t before = width * placement / 4;
    const std::size_t after = width - before;
    const std::size_t first = step - std::min(step, before);
    const std::size_t last = std::min(order_.size(), step + 1 + after);
    return {Valley(first, step - std::min(step, before / 2)),
            Valley(std::min(order_.size(), step + 1 + after / 2), last)};
  }

  bool Improve(const Window& window, std::int64_t peak) {
    const Part part(graph_, OrderWindow{order_, position_, window.first, window.last,
                                        live_bytes_[window.first]});
    work_ += kWorkPerOp * part.graph().num_ops();
    auto order = Search(part.steps(), peak);
    if (!order) order = SearchExactly(part, peak);
    if (!order) return false;
    // An order costs in the part at every step what it costs in the whole.
    StepState state(part.steps(), Direction::kForward);
    std::size_t k = window.first;
    for (const OpId op : *order) {
      if (!part.origin(op).valid()) continue;
      for (const OpId first : part.graph().op(op).predecessors) {
        if (state.is_ready(first)) state.Take(first);  // an input arrives at its first reader
      }
      Take(state, part.origin(op), op, k++);
    }
    return true;
  }

  // An order of the part below the peak, the lower the better: other windows may follow it.
  std::optional<std::vector<OpId>> Search(const StepGraph& steps, std::int64_t peak) {
    std::optional<std::vector<OpId>> found = SearchBothWays(steps, peak - 1);
    if (!found) return std::nullopt;
    const std::int64_t above = PeakBytes(steps, *found);
    std::int64_t budget = std::max({options_.floor_bytes, steps.first_bytes, steps.last_bytes});
    for (int tries = 0; tries < kMaxLowerings && budget < above && !Spent(); ++tries) {
      auto order = SearchBothWays(steps, budget);
      if (order) {
        found = std::move(order);
        break;
      }
      budget += (above - budget + 1) / 2;
    }
    return found;
  }

  // With all rules: splits, independent parts. Costs more, so it comes last.
  std::optional<std::vector<OpId>> SearchExactly(const Part& part, std::int64_t peak) {
    if (Spent()) return std::nullopt;
    ExactOptions exact;
    exact.max_nodes = options_.max_nodes;
    exact.max_cut_work = kCutWork;
    memory::Certificate floor;
    floor.bytes = options_.floor_bytes;  // lower is of no use
    ExactResult result = FindExact(part.graph(), part.GivenOrder(), std::move(floor), exact);
    work_ += kWorkPerNode * result.nodes + 2 * exact.max_cut_work;
    if (result.peak_bytes >= peak) return std::nullopt;
    return std::move(result.order);
  }

  std::optional<std::vector<OpId>> SearchBothWays(const StepGraph& steps, std::int64_t budget) {
    for (const Direction direction : {Direction::kReverse, Direction::kForward}) {
      DecideOptions decide;
      decide.budget_bytes = budget;
      decide.direction = direction;
      decide.max_nodes = options_.max_nodes;
      decide.max_looks = kWorkPerNode * options_.max_nodes;
      decide.max_memo_bytes = kMaxMemoBytes;
      Decision decision = Decide(steps, decide);
      work_ += kWorkPerNode * decision.nodes + decision.looks + steps.num_ops();
      if (decision.answer == Decision::Answer::kFound) return std::move(decision.order);
      if (decision.answer == Decision::Answer::kRefuted) break;
    }
    return std::nullopt;
  }

  const memory::StorageGraph& graph_;
  const WindowOptions& options_;
  std::vector<OpId> order_;
  std::vector<std::size_t> position_;     // per operator
  std::vector<std::int64_t> step_bytes_;  // per step
  std::vector<std::int64_t> live_bytes_;  // before each step, and after the last
  std::uint64_t work_ = 0;
};

}  // namespace

WindowResult ImproveByWindows(const memory::StorageGraph& graph, std::span<const OpId> order,
                              const WindowOptions& options) {
  if (order.empty()) return {{}, true};
  return Windows(graph, order, options).Run();
}

}  // namespace opass::schedulers
