#include "opass/schedulers/search/decide.h"

#include <algorithm>
#include <limits>
#include <tuple>

#include "opass/schedulers/search/free_steps.h"
#include "opass/schedulers/search/state_set.h"
#include "opass/schedulers/search/taken_bits.h"
#include "opass/support/interrupt.h"

namespace opass::schedulers {
namespace {

using memory::OpId;

constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();
constexpr std::size_t kAll = std::numeric_limits<std::size_t>::max();
constexpr std::uint64_t kNodesPerInterrupt = 64;
// With more ready operators, those that a step cannot have made free are not looked at again. Some
// that fewer live bytes have let into the budget are missed then: they are branched at instead.
constexpr std::size_t kWide = 100;

// Steps and, at each, opened operators that a chain to a lower state looks at.
constexpr int kMaxChain = 24;
constexpr std::size_t kMaxOpened = 8;

class Search {
 public:
  Search(const StepGraph& graph, const DecideOptions& options)
      : options_(options),
        state_(graph, options.direction),
        bits_(graph.num_ops()),
        refuted_((graph.num_ops() + 63) / 64) {}

  Decision Run() {
    const StepGraph& graph = state_.graph();
    const std::int64_t at_ends = std::max(graph.first_bytes, graph.last_bytes);
    if (at_ends > options_.budget_bytes) {
      decision_.answer = Decision::Answer::kRefuted;
      decision_.at_least_bytes = at_ends;
      return std::move(decision_);
    }
    Close();
    decision_.answer = Walk();
    if (decision_.answer == Decision::Answer::kFound) {
      decision_.order.assign(state_.path().begin(), state_.path().end());
      if (options_.direction == Direction::kReverse) {
        std::reverse(decision_.order.begin(), decision_.order.end());
      }
    }
    return std::move(decision_);
  }

 private:
  struct Child {
    std::int64_t live_bytes;
    OpId op;
    friend bool operator<(const Child& a, const Child& b) {
      return std::tie(a.live_bytes, a.op) < std::tie(b.live_bytes, b.op);
    }
  };
  // A state that was branched at; its children are the last of `children_`.
  struct Frame {
    std::size_t num_taken;
    std::size_t first_child;
    std::size_t next_child;
  };

  // The state is closed, not complete, and was reached for the first time or not refuted then.
  Decision::Answer Walk() {
    while (true) {
      if (state_.complete()) return Decision::Answer::kFound;
      if (!IsRefuted()) {
        if (OutOfWork() || !Branch()) return Decision::Answer::kUnknown;
        if (state_.complete()) return Decision::Answer::kFound;
        if (state_.num_taken() > frames_.back().num_taken) continue;  // committed
      }
      while (!frames_.empty() && frames_.back().next_child == children_.size()) Fail();
      if (frames_.empty()) {
        // Steps that the budget forbade at a state on the way are what a higher budget opens (R6).
        decision_.at_least_bytes = next_bytes_;
        return Decision::Answer::kRefuted;
      }
      UndoTo(frames_.back().num_taken);
      TakeAndClose(children_[frames_.back().next_child++].op, /*first_time=*/false);
    }
  }

  // Tries every ready operator. Stays in the new state when that has no alternative, or completes
  // the order; otherwise lists the children, those with the fewest live bytes first. False when the
  // looks run out.
  bool Branch() {
    const std::size_t num_taken = state_.num_taken();
    const std::size_t first_child = children_.size();
    frames_.push_back({num_taken, first_child, first_child});
    const std::size_t num_ready = state_.ready().size();
    for (std::size_t i = 0; i < num_ready; ++i) {
      if (decision_.looks > options_.max_looks) return false;
      const OpId op = state_.ready()[i];  // Undo restores the order of ready operators
      const std::int64_t step_bytes = state_.Cost(op).step_bytes;
      if (step_bytes > options_.budget_bytes) {
        next_bytes_ = std::min(next_bytes_, step_bytes);
        continue;
      }
      const bool committed = TakeAndClose(op, /*first_time=*/true);
      if (state_.complete()) return true;
      if (committed) {
        children_.resize(first_child);
        frames_.back().next_child = first_child;
        return true;
      }
      if (!IsRefuted()) children_.push_back({state_.live_bytes(), op});
      UndoTo(num_taken);
    }
    std::sort(children_.begin() + static_cast<std::ptrdiff_t>(first_child), children_.end());
    return true;
  }

  // Takes the operator and what is free then. True when no alternative to it need be tried (R2).
  // `first_time`: not a child that had alternatives.
  bool TakeAndClose(OpId op, bool first_time) {
    const std::int64_t live_before = state_.live_bytes();
    const std::size_t first_opened = TakeAndFollow(op);
    bool committed = false;
    if (first_time && options_.rules.commit) {
      committed = state_.live_bytes() <= live_before ||
                  (options_.rules.chains && WalkChain(first_opened, live_before));
    }
    Close();
    return committed;
  }

  // Takes the operator and the free steps that only it made ready; those that were ready anyway
  // must not count for R2: a set without the operator could hold them and be lower. Returns the
  // place from which on the ready operators are such that it opened.
  std::size_t TakeAndFollow(OpId op) {
    // Operators that become ready are appended, so that the others stay below this place.
    const std::size_t first_opened = state_.ready().size() - 1;
    ++decision_.looks;
    state_.Take(op);
    if (options_.rules.closure) {
      for (std::size_t i = first_opened; i < state_.ready().size();) {
        i = TakeIfFree(state_.ready()[i]) ? first_opened : i + 1;
      }
    }
    return first_opened;
  }

  // R2 over several steps: over a hill within the budget to a state with no more bytes live than
  // before. Every step of the chain was opened by the one before it, so a set between the two
  // states is as high as a prefix of the chain or higher (the free steps in it only lower it), and
  // all proper prefixes are higher than its end. False: the chain is undone.
  bool WalkChain(std::size_t first_opened, std::int64_t live_before) {
    const std::size_t num_taken = state_.num_taken();
    for (int steps = 1; steps < kMaxChain && !state_.complete(); ++steps) {
      const OpId next = LowestOf(first_opened);
      if (!next.valid()) break;
      first_opened = TakeAndFollow(next);
      if (state_.live_bytes() <= live_before) return true;
    }
    UndoTo(num_taken);
    return false;
  }

  // Of the ready operators from a place on: that within the budget which leaves the fewest bytes.
  OpId LowestOf(std::size_t first) {
    OpId lowest;
    std::int64_t live_bytes = kNever;
    const std::size_t last = std::min(state_.ready().size(), first + kMaxOpened);
    for (std::size_t i = first; i < last; ++i) {
      const StepCost cost = state_.Cost(state_.ready()[i]);
      ++decision_.looks;
      if (cost.step_bytes > options_.budget_bytes || cost.live_bytes >= live_bytes) continue;
      lowest = state_.ready()[i];
      live_bytes = cost.live_bytes;
    }
    return lowest;
  }

  bool TakeIfFree(OpId op) {
    const StepCost cost = state_.Cost(op);
    const bool is_free =
        cost.live_bytes <= state_.live_bytes() && cost.step_bytes <= options_.budget_bytes;
    if (is_free) state_.Take(op);
    return is_free;
  }

  void Close() {
    if (!options_.rules.closure) return;
    if (state_.ready().size() > kWide && state_.num_taken() > 0) {
      TakeOpenedSteps(state_, options_.budget_bytes, kAll);
    } else {
      decision_.looks += TakeFreeSteps(state_, options_.budget_bytes, kAll);
    }
  }

  // The last state branched at has no child left.
  void Fail() {
    UndoTo(frames_.back().num_taken);
    // When there is no room for more, those that are remembered still help.
    if (options_.rules.memo && refuted_.num_bytes() <= options_.max_memo_bytes) {
      refuted_.Insert(bits_.Of(state_), state_.fingerprint().low);
    }
    children_.resize(frames_.back().first_child);
    frames_.pop_back();
  }

  bool IsRefuted() {
    if (!options_.rules.memo || refuted_.size() == 0) return false;
    return refuted_.Contains(bits_.Of(state_), state_.fingerprint().low);
  }

  void UndoTo(std::size_t num_taken) {
    bits_.BeforeUndoTo(state_, num_taken);
    state_.UndoTo(num_taken);
  }

  bool OutOfWork() {
    ++decision_.nodes;
    if (decision_.nodes % kNodesPerInterrupt == 0 &&
        (Interrupted() || (options_.stop != nullptr && *options_.stop))) {
      return true;
    }
    return decision_.nodes > options_.max_nodes || decision_.looks > options_.max_looks;
  }

  const DecideOptions& options_;
  StepState state_;
  TakenBits bits_;
  StateSet refuted_;
  std::vector<Frame> frames_;
  std::vector<Child> children_;
  std::int64_t next_bytes_ = kNever;
  Decision decision_;
};

}  // namespace

Decision Decide(const StepGraph& graph, const DecideOptions& options) {
  return Search(graph, options).Run();
}

}  // namespace opass::schedulers
