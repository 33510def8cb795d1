#include "opass/schedulers/search/step_state.h"

namespace opass::schedulers {

using memory::OpId;
using memory::StorageId;

namespace {

// The finalizer of splitmix64 (Steele, Lea, Flood 2014): the n-th word of a fixed random sequence.
std::uint64_t RandomWord(std::uint64_t n) {
  std::uint64_t x = (n + 1) * 0x9e3779b97f4a7c15U;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
  return x ^ (x >> 31);
}

}  // namespace

StepState::StepState(const StepGraph& graph, Direction direction)
    : graph_(&graph),
      direction_(direction),
      live_bytes_(forward() ? graph.first_bytes : graph.last_bytes),
      unread_(graph.storages.size(), 0),
      waiting_(graph.num_ops()),
      place_(graph.num_ops()),
      ready_since_(graph.num_ops(), 0),
      matching_(graph.graph) {
  for (std::size_t i = 0; forward() && i < unread_.size(); ++i) {
    unread_[i] = graph.storages[i].num_readers;
  }
  const Rows<OpId>& before = forward() ? graph.predecessors : graph.successors;
  for (std::size_t i = 0; i < graph.num_ops(); ++i) {
    waiting_[i] = static_cast<std::uint32_t>(before[i].size());
    if (waiting_[i] > 0) continue;
    place_[i] = static_cast<std::uint32_t>(ready_.size());
    ready_.push_back(OpId(i));
  }
}

StepCost StepState::Cost(OpId op) const { return forward() ? CostForward(op) : CostReverse(op); }

StepCost StepState::CostForward(OpId op) const {
  const StepGraph::OpFacts& facts = graph_->ops[op.index()];
  std::int64_t arriving = 0;
  std::int64_t dying = 0;
  for (const StorageId input : graph_->inputs[op.index()]) {
    const StepGraph::StorageFacts& storage = graph_->storages[input.index()];
    const std::uint32_t unread = unread_[input.index()];
    if (storage.arrives && unread == storage.num_readers) arriving += storage.size_bytes;
    if (unread == 1 && !storage.kept) dying += storage.size_bytes;
  }
  const std::int64_t during = live_bytes_ + arriving;
  return {during + facts.step_bytes - Saved(op), during + facts.lasting_bytes - dying};
}

// `live_bytes_` is what is live after the step. During it the inputs that die are live as well, and
// the outputs that nobody needs.
StepCost StepState::CostReverse(OpId op) const {
  const StepGraph::OpFacts& facts = graph_->ops[op.index()];
  std::int64_t arriving = 0;
  std::int64_t dying = 0;
  for (const StorageId input : graph_->inputs[op.index()]) {
    const StepGraph::StorageFacts& storage = graph_->storages[input.index()];
    const std::uint32_t unread = unread_[input.index()];
    if (storage.arrives && unread + 1 == storage.num_readers) arriving += storage.size_bytes;
    if (unread == 0 && !storage.kept) dying += storage.size_bytes;
  }
  const std::int64_t during = live_bytes_ + dying - facts.lasting_bytes;
  return {during + facts.step_bytes - Saved(op), during - arriving};
}

bool StepState::IsOpen(StorageId storage) const {
  const StepGraph::StorageFacts& facts = graph_->storages[storage.index()];
  if (facts.arrives) return true;
  if (facts.kept) return false;  // live from its birth to the end
  // Backwards, it is live once one reader is taken, and stays so until its producer is.
  return forward() || unread_[storage.index()] == 0;
}

// The bytes of outputs that land on inputs that die at `op`. Kept inputs are never candidates.
std::int64_t StepState::Saved(OpId op) const {
  const StepGraph::OpFacts& facts = graph_->ops[op.index()];
  if (facts.saved_bytes == 0) return 0;
  const std::uint32_t last = forward() ? 1 : 0;
  const auto dies = [&](StorageId input) { return unread_[input.index()] == last; };
  if (facts.several_takeovers) return matching_.Solve(op, dies);
  for (const StorageId input : graph_->takeovers[op.index()]) {
    if (dies(input)) return facts.saved_bytes;
  }
  return 0;
}

void StepState::Take(OpId op) {
  live_before_.push_back(live_bytes_);
  live_bytes_ = Cost(op).live_bytes;
  for (const StorageId input : graph_->inputs[op.index()]) {
    if (forward()) {
      --unread_[input.index()];
    } else {
      ++unread_[input.index()];
    }
  }
  path_.push_back(op);
  Flip(op);
  // The last ready operator takes the free place; Undo finds it there.
  const std::uint32_t place = place_[op.index()];
  ready_[place] = ready_.back();
  place_[ready_[place].index()] = place;
  ready_.pop_back();
  place_[op.index()] = place;
  for (const OpId next : waiting_for(op)) {
    if (--waiting_[next.index()] > 0) continue;
    place_[next.index()] = static_cast<std::uint32_t>(ready_.size());
    ready_since_[next.index()] = static_cast<std::uint32_t>(path_.size());
    ready_.push_back(next);
  }
}

void StepState::Undo() {
  const OpId op = path_.back();
  path_.pop_back();
  Flip(op);
  live_bytes_ = live_before_.back();
  live_before_.pop_back();
  for (const OpId next : waiting_for(op)) {
    if (waiting_[next.index()]++ == 0) ready_.pop_back();
  }
  const std::uint32_t place = place_[op.index()];
  ready_.push_back(op);
  if (place + 1 != ready_.size()) {
    std::swap(ready_[place], ready_.back());
    place_[ready_.back().index()] = static_cast<std::uint32_t>(ready_.size() - 1);
  }
  for (const StorageId input : graph_->inputs[op.index()]) {
    if (forward()) {
      ++unread_[input.index()];
    } else {
      --unread_[input.index()];
    }
  }
}

void StepState::Flip(OpId op) {
  fingerprint_.low ^= RandomWord(2 * std::uint64_t{op.index()});
  fingerprint_.high ^= RandomWord(2 * std::uint64_t{op.index()} + 1);
}

}  // namespace opass::schedulers
