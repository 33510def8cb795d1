#include "opass/schedulers/search/sweep.h"

#include <algorithm>
#include <limits>

#include "opass/schedulers/search/both_ways.h"
#include "opass/schedulers/search/step_state.h"
#include "opass/support/interrupt.h"

namespace opass::schedulers {
namespace {

using memory::OpId;
using memory::StorageId;

constexpr int kMaxSweeps = 16;
// Operators looked at, over all sweeps.
constexpr std::uint64_t kMaxWork = 10'000'000;
constexpr std::uint64_t kMaxWorkPerOp = 100;
// A chain leads over one hill: so many steps, each the best of so many that the one before opened.
constexpr int kMaxChain = 24;
constexpr std::size_t kMaxOpened = 8;
// Of the readers of one storage, or the operators that wait for one: on ordinary graphs all.
constexpr std::size_t kMaxNeighbours = 32;

// One sweep.
class Sweeper {
 public:
  Sweeper(const StepGraph& graph, Direction direction, std::int64_t budget_bytes,
          std::uint64_t& work)
      : state_(graph, direction), budget_bytes_(budget_bytes), work_(work) {}

  // Both orders are in the order of taking.
  std::vector<OpId> Along(std::span<const OpId> order) {
    TakeAllFree();
    for (const OpId op : order) {
      MakeRoomFor(op);
      if (!state_.is_ready(op)) continue;  // taken before
      const std::size_t num_taken = state_.num_taken();
      state_.Take(op);
      Follow(num_taken);
    }
    return {state_.path().begin(), state_.path().end()};
  }

 private:
  // Raises the budget as little as possible until the operator is taken or within it.
  void MakeRoomFor(OpId op) {
    while (state_.is_ready(op) && state_.Cost(op).step_bytes > budget_bytes_) {
      next_bytes_ = std::numeric_limits<std::int64_t>::max();
      TakeAllFree();
      if (!state_.is_ready(op)) return;
      const std::int64_t needed = state_.Cost(op).step_bytes;
      budget_bytes_ = std::max(budget_bytes_, work_ > 0 ? std::min(needed, next_bytes_) : needed);
    }
  }

  void TakeAllFree() {
    if (Interrupted()) work_ = 0;
    if (work_ == 0) return;
    const std::size_t num_taken = state_.num_taken();
    const std::vector<OpId> ready(state_.ready().begin(), state_.ready().end());
    TakeThoseFree(ready);
    Follow(num_taken);
  }

  // Takes what the steps since then have made free, one leading to the next.
  void Follow(std::size_t num_taken) {
    for (std::size_t next = num_taken; next < state_.num_taken() && work_ > 0; ++next) {
      const OpId taken = state_.path()[next];
      TakeThoseFree(FirstOf(state_.waiting_for(taken)));
      for (const StorageId input : state_.graph().inputs[taken.index()]) {
        TakeThoseFree(FirstOf(state_.graph().readers[input.index()]));
      }
    }
  }

  static std::span<const OpId> FirstOf(std::span<const OpId> ops) {
    return ops.first(std::min(ops.size(), kMaxNeighbours));
  }

  void TakeThoseFree(std::span<const OpId> ops) {
    for (const OpId op : ops) {
      if (work_ == 0) return;
      if (state_.is_ready(op)) TakeIfFree(op);
    }
  }

  // Takes the operator if it, or a chain of steps that it begins, leads within the budget to no
  // more live bytes.
  void TakeIfFree(OpId op) {
    const std::int64_t live_before = state_.live_bytes();
    const std::size_t num_taken = state_.num_taken();
    OpId next = IsWithin(state_.Cost(op)) ? op : OpId();
    for (int steps = 0; next.valid() && steps < kMaxChain; ++steps) {
      // Operators that become ready are appended.
      const std::size_t first_opened = state_.ready().size() - 1;
      state_.Take(next);
      if (state_.live_bytes() <= live_before) return;
      next = LowestFrom(first_opened);
    }
    state_.UndoTo(num_taken);
  }

  OpId LowestFrom(std::size_t first) {
    OpId lowest;
    std::int64_t live_bytes = std::numeric_limits<std::int64_t>::max();
    const std::size_t last = std::min(state_.ready().size(), first + kMaxOpened);
    for (std::size_t i = first; i < last; ++i) {
      const StepCost cost = state_.Cost(state_.ready()[i]);
      if (!IsWithin(cost) || cost.live_bytes >= live_bytes) continue;
      lowest = state_.ready()[i];
      live_bytes = cost.live_bytes;
    }
    return lowest;
  }

  bool IsWithin(const StepCost& cost) {
    work_ -= std::min<std::uint64_t>(work_, 1);
    if (cost.step_bytes <= budget_bytes_) return true;
    next_bytes_ = std::min(next_bytes_, cost.step_bytes);
    return false;
  }

  StepState state_;
  std::int64_t budget_bytes_;
  std::int64_t next_bytes_ = 0;  // the least above the budget that something looked at needs
  std::uint64_t& work_;
};

std::vector<OpId> SweepFrom(const StepGraph& graph, Direction direction, std::vector<OpId> order,
                            std::int64_t budget_bytes, std::uint64_t& work) {
  if (direction == Direction::kReverse) std::ranges::reverse(order);
  order = Sweeper(graph, direction, budget_bytes, work).Along(order);
  if (direction == Direction::kReverse) std::ranges::reverse(order);
  return order;
}

}  // namespace

std::vector<OpId> Sweep(const memory::StorageGraph& graph, std::span<const OpId> order,
                        std::int64_t floor_bytes) {
  const StepGraph steps(graph);
  floor_bytes = std::max({floor_bytes, steps.first_bytes, steps.last_bytes});
  std::vector<OpId> best(order.begin(), order.end());
  std::int64_t peak_bytes = PeakBytes(steps, best);
  std::uint64_t work = kMaxWork + kMaxWorkPerOp * graph.num_ops();
  Direction direction = Direction::kReverse;
  int without_gain = 0;
  for (int i = 0; i < kMaxSweeps && without_gain < 2 && peak_bytes > floor_bytes; ++i) {
    if (work == 0 || Interrupted()) break;
    std::vector<OpId> next = SweepFrom(steps, direction, best, floor_bytes, work);
    const std::int64_t next_bytes = PeakBytes(steps, next);
    without_gain = next_bytes < peak_bytes ? 0 : without_gain + 1;
    // An order of the same peak may still be the better start from the other end.
    if (next_bytes <= peak_bytes) {
      best = std::move(next);
      peak_bytes = next_bytes;
    }
    direction = direction == Direction::kReverse ? Direction::kForward : Direction::kReverse;
  }
  return best;
}

}  // namespace opass::schedulers
