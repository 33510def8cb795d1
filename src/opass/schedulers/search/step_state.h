#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "opass/memory/takeover_matching.h"
#include "opass/schedulers/search/step_graph.h"

namespace opass::schedulers {

enum class Direction {
  kForward,  // steps are taken from the first to the last
  kReverse,  // steps are taken from the last to the first: the order built is the reverse of one
};

// What taking an operator next would mean.
struct StepCost {
  std::int64_t step_bytes = 0;  // live during its step
  std::int64_t live_bytes = 0;  // live between it and the step taken next
};

// Names a set of taken operators: XOR of a random 128-bit key of each (Zobrist hashing).
struct Fingerprint {
  std::uint64_t low = 0;
  std::uint64_t high = 0;
  friend bool operator==(const Fingerprint&, const Fingerprint&) = default;
};

// A partial order under construction, from either end. Live bytes are a function of the set of
// taken operators alone, so a search may walk from set to set by Take and Undo, each in time of the
// operator's degree, and forget the way. Callers need not know the direction: the peak of a whole
// order is the maximum of the first `live_bytes` and all `step_bytes`, from either end.
class StepState {
 public:
  // Nothing taken. `graph` must outlive this.
  StepState(const StepGraph& graph, Direction direction);

  const StepGraph& graph() const { return *graph_; }
  Direction direction() const { return direction_; }
  std::int64_t live_bytes() const { return live_bytes_; }
  std::size_t num_taken() const { return path_.size(); }
  bool complete() const { return path_.size() == graph_->num_ops(); }
  Fingerprint fingerprint() const { return fingerprint_; }
  // The operators taken, in the order of taking.
  std::span<const memory::OpId> path() const { return path_; }
  // The operators that can be taken next; those that became ready last are at the end.
  std::span<const memory::OpId> ready() const { return ready_; }
  bool is_ready(memory::OpId op) const {
    const std::uint32_t place = place_[op.index()];
    return place < ready_.size() && ready_[place] == op;
  }
  // The operators that wait for `op` and perhaps for others.
  std::span<const memory::OpId> waiting_for(memory::OpId op) const {
    return (forward() ? graph_->successors : graph_->predecessors)[op.index()];
  }
  // How many operators were taken when the (ready) operator became ready.
  std::uint32_t ready_since(memory::OpId op) const { return ready_since_[op.index()]; }

  // Whether operators not taken yet that read the storage decide together when it is live. Not when
  // it is live as long as the first or the last of them is not taken, whatever their order.
  bool IsOpen(memory::StorageId storage) const;

  StepCost Cost(memory::OpId op) const;
  void Take(memory::OpId op);
  // Takes back the operator taken last. Everything is as before, the order of `ready` too.
  void Undo();
  void UndoTo(std::size_t num_taken) {
    while (path_.size() > num_taken) Undo();
  }

 private:
  bool forward() const { return direction_ == Direction::kForward; }
  StepCost CostForward(memory::OpId op) const;
  StepCost CostReverse(memory::OpId op) const;
  std::int64_t Saved(memory::OpId op) const;
  void Flip(memory::OpId op);

  const StepGraph* graph_;
  Direction direction_;
  std::int64_t live_bytes_ = 0;
  Fingerprint fingerprint_;
  std::vector<std::uint32_t> unread_;   // per storage: readers not executed
  std::vector<std::uint32_t> waiting_;  // per operator: neighbours to be taken before it
  std::vector<std::uint32_t> place_;    // per operator: its place in ready_, also when just taken
  std::vector<std::uint32_t> ready_since_;
  std::vector<memory::OpId> ready_;
  std::vector<memory::OpId> path_;
  std::vector<std::int64_t> live_before_;  // per taken operator: what Undo restores
  mutable memory::TakeoverMatching matching_;
};

}  // namespace opass::schedulers
