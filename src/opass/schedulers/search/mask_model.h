#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <vector>

#include "opass/memory/storage.h"
#include "opass/schedulers/search/step_state.h"

namespace opass::schedulers {

// For tests alone: the memory model and the search with closure and commit once more, on sets of at
// most 20 operators as bit masks, also in forms that are wrong.
class MaskModel {
 public:
  // How the outputs of an operator take over its dying inputs.
  enum class Taking {
    kBest,      // so that they save the most
    kAsListed,  // each in turn the first that is left
    kFitsOnly,  // one output, any input that is large enough
    kAnySize,   // one output, any input, as if it were large enough
  };
  enum class Commit {
    kOpened,  // what the step itself made ready counts
    kClosed,  // all free steps count
  };

  MaskModel(const memory::StorageGraph& graph, Taking taking) : graph_(graph), taking_(taking) {
    all_ = (Mask{1} << graph.num_ops()) - 1;
  }

  // The least peak over all orders, by dynamic programming over the sets.
  std::int64_t Optimum() const {
    std::vector<std::int64_t> peak(std::size_t{all_} + 1, kNever);
    peak[0] = Live(0);
    for (Mask done = 0; done < all_; ++done) {
      if (peak[done] == kNever) continue;
      for (std::size_t i = 0; i < graph_.num_ops(); ++i) {
        if (!Ready(done, i)) continue;
        std::int64_t& next = peak[done | Mask{1} << i];
        next = std::min(next, std::max(peak[done], Step(done, i)));
      }
    }
    return std::max(peak[all_], Live(all_));
  }

  // Whether the search finds an order within the budget.
  bool Finds(std::int64_t budget, Commit commit, Direction direction) {
    known_.clear();
    direction_ = direction;
    if (std::max(Live(0), Live(all_)) > budget) return false;
    return Search(Close(0, kNobody, budget), budget, commit);
  }

 private:
  using Mask = std::uint32_t;

  static constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();

  static bool Has(Mask set, memory::OpId op) { return (set >> op.index() & 1) != 0; }

  bool Ready(Mask done, std::size_t op) const {
    const auto& needs = graph_.op(memory::OpId(op)).predecessors;
    return !Has(done, memory::OpId(op)) &&
           std::all_of(needs.begin(), needs.end(),
                       [&](memory::OpId first) { return Has(done, first); });
  }

  bool Came(const memory::Storage& storage, Mask done) const {
    const auto read = [&](memory::OpId op) { return Has(done, op); };
    if (storage.producer.valid()) return Has(done, storage.producer);
    return graph_.problem().inputs == memory::InputArrival::kResident || storage.readers.empty() ||
           std::any_of(storage.readers.begin(), storage.readers.end(), read);
  }

  static bool Needed(const memory::Storage& storage, Mask done) {
    return storage.kept || std::any_of(storage.readers.begin(), storage.readers.end(),
                                       [&](memory::OpId op) { return !Has(done, op); });
  }

  std::int64_t Live(Mask done) const {
    std::int64_t bytes = 0;
    for (std::size_t i = 0; i < graph_.num_storages(); ++i) {
      const memory::Storage& storage = graph_.storage(memory::StorageId(i));
      if (Came(storage, done) && Needed(storage, done)) bytes += storage.size_bytes;
    }
    return bytes;
  }

  std::int64_t Step(Mask done, std::size_t index) const {
    const memory::StorageOp& op = graph_.op(memory::OpId(index));
    std::int64_t bytes = Live(done) + op.workspace_bytes;
    for (const memory::StorageId output : op.outputs) bytes += graph_.storage(output).size_bytes;
    for (const memory::StorageId input : op.inputs) {
      if (!Came(graph_.storage(input), done)) bytes += graph_.storage(input).size_bytes;
    }
    const Mask after = done | Mask{1} << index;
    std::vector<memory::StorageId> dying;
    for (const memory::StorageId input : op.inputs) {
      if (!Needed(graph_.storage(input), after)) dying.push_back(input);
    }
    return bytes - Gain(op, dying);
  }

  std::int64_t Gain(const memory::StorageOp& op,
                    const std::vector<memory::StorageId>& dying) const {
    if (taking_ == Taking::kBest || taking_ == Taking::kAsListed) return Serve(op, 0, dying);
    std::int64_t gain = 0;
    if (op.outputs.size() != 1) return gain;
    const std::int64_t output = graph_.storage(op.outputs[0]).size_bytes;
    for (const memory::StorageId input : dying) {
      const std::int64_t size = graph_.storage(input).size_bytes;
      if (size >= output || taking_ == Taking::kAnySize) {
        gain = std::max(gain, output);
      }
    }
    return gain;
  }

  // Of the outputs from `index` on.
  std::int64_t Serve(const memory::StorageOp& op, std::size_t index,
                     const std::vector<memory::StorageId>& free) const {
    if (index == op.outputs.size()) return 0;
    std::int64_t best = taking_ == Taking::kBest ? Serve(op, index + 1, free) : -1;
    for (const memory::Takeover& takeover : op.takeovers) {
      const auto input = std::find(free.begin(), free.end(), takeover.input);
      if (takeover.output != op.outputs[index] || input == free.end()) continue;
      std::vector<memory::StorageId> left = free;
      left.erase(left.begin() + (input - free.begin()));
      const std::int64_t gain =
          graph_.storage(takeover.output).size_bytes + Serve(op, index + 1, left);
      best = std::max(best, gain);
      if (taking_ == Taking::kAsListed) break;
    }
    return best < 0 ? Serve(op, index + 1, free) : best;
  }

  // What follows walks from either end: `taken` are the first or the last operators of an order.
  Mask DoneWhen(Mask taken) const {
    return direction_ == Direction::kForward ? taken : all_ & ~taken;
  }

  bool CanTake(Mask taken, std::size_t op) const {
    if (direction_ == Direction::kForward) return Ready(taken, op);
    const auto& needed_by = graph_.op(memory::OpId(op)).successors;
    return !Has(taken, memory::OpId(op)) &&
           std::all_of(needed_by.begin(), needed_by.end(),
                       [&](memory::OpId then) { return Has(taken, then); });
  }

  std::int64_t LiveWhen(Mask taken) const { return Live(DoneWhen(taken)); }

  std::int64_t StepWhen(Mask taken, std::size_t op) const {
    return Step(DoneWhen(taken) & ~(Mask{1} << op), op);
  }

  // Takes free steps, none that could be taken in `not_those_of`, if that is a set.
  Mask Close(Mask taken, Mask not_those_of, std::int64_t budget) const {
    for (std::size_t i = 0; i < graph_.num_ops();) {
      const Mask next = taken | Mask{1} << i;
      const bool free = CanTake(taken, i) &&
                        !(not_those_of != kNobody && CanTake(not_those_of, i)) &&
                        LiveWhen(next) <= LiveWhen(taken) && StepWhen(taken, i) <= budget;
      if (free) taken = next;
      i = free ? 0 : i + 1;
    }
    return taken;
  }

  bool Search(Mask taken, std::int64_t budget, Commit commit) {
    if (taken == all_) return true;
    if (const auto known = known_.find(taken); known != known_.end()) return known->second;
    std::vector<Mask> children;
    bool committed = false;
    for (std::size_t i = 0; i < graph_.num_ops() && !committed; ++i) {
      if (!CanTake(taken, i) || StepWhen(taken, i) > budget) continue;
      const Mask opened = Close(taken | Mask{1} << i, taken, budget);
      const Mask closed = Close(opened, kNobody, budget);
      committed = LiveWhen(commit == Commit::kOpened ? opened : closed) <= LiveWhen(taken);
      if (committed) children.clear();
      children.push_back(closed);
    }
    bool found = false;
    for (const Mask child : children) found = found || Search(child, budget, commit);
    return known_[taken] = found;
  }

  static constexpr Mask kNobody = ~Mask{0};

  const memory::StorageGraph& graph_;
  const Taking taking_;
  Direction direction_ = Direction::kForward;
  Mask all_ = 0;
  std::map<Mask, bool> known_;
};

}  // namespace opass::schedulers
