#include "opass/bounds/operator_cut.h"

#include <algorithm>
#include <limits>

namespace opass::bounds {

using memory::OpId;
using memory::Storage;
using memory::StorageId;
using memory::StorageOp;

OperatorCutter::OperatorCutter(const memory::StorageGraph& graph)
    : graph_(graph),
      matching_(graph),
      first_use_(graph.problem().inputs == memory::InputArrival::kFirstUse),
      sides_(graph.num_ops()),
      nodes_(graph.num_ops()) {
  size_ = graph.num_ops() + graph.num_storages();
  for (std::size_t i = 0; i < graph.num_ops(); ++i) {
    const StorageOp& op = graph.op(OpId(i));
    size_ += op.inputs.size() + op.predecessors.size();
  }
}

std::optional<OperatorCut> OperatorCutter::Bound(OpId op, std::int64_t above, std::uint64_t& work) {
  Decide(op);
  const std::int64_t fixed = FixedBytes(op);
  const std::int64_t most_saved =
      matching_.Solve(op, [&](StorageId input) { return CanDie(op, input); });
  const std::int64_t always_saved =
      matching_.Solve(op, [&](StorageId input) { return AlwaysDies(op, input); });
  const std::vector<memory::Takeover>& takeovers = graph_.op(op).takeovers;
  const bool one_output = std::all_of(takeovers.begin(), takeovers.end(), [&](const auto& t) {
    return t.output == takeovers.front().output;
  });
  const bool conditional = one_output && always_saved < most_saved;
  OperatorCut best{std::numeric_limits<std::int64_t>::max(), {}};
  if (!Offer(op, fixed - (conditional ? 0 : most_saved), best, work)) return std::nullopt;
  for (std::size_t i = 0; conditional && i < takeovers.size() && best.bytes > above; ++i) {
    Decide(op);
    if (!CanDie(op, takeovers[i].input)) continue;
    for (const OpId reader : graph_.storage(takeovers[i].input).readers) {
      if (reader != op) Spread(reader, Side::kExecuted);
    }
    if (!Offer(op, fixed - most_saved, best, work)) return std::nullopt;
  }
  if (best.bytes <= above) return std::nullopt;
  return best;
}

void OperatorCutter::Decide(OpId op) {
  std::fill(sides_.begin(), sides_.end(), Side::kFree);
  Spread(op, Side::kWaiting);
  for (const OpId before : graph_.op(op).predecessors) Spread(before, Side::kExecuted);
}

// Puts `from`, and with it all its ancestors (or descendants), on one side.
void OperatorCutter::Spread(OpId from, Side side) {
  if (this->side(from) == side) return;
  sides_[from.index()] = side;
  stack_.assign(1, from);
  while (!stack_.empty()) {
    const StorageOp& op = graph_.op(stack_.back());
    stack_.pop_back();
    for (const OpId next : side == Side::kExecuted ? op.predecessors : op.successors) {
      if (this->side(next) == side) continue;
      sides_[next.index()] = side;
      stack_.push_back(next);
    }
  }
}

// Some set has executed all other readers of `input` before `op`.
bool OperatorCutter::CanDie(OpId op, StorageId input) const {
  const Storage& storage = graph_.storage(input);
  return !storage.kept && std::all_of(storage.readers.begin(), storage.readers.end(),
                                      [&](OpId r) { return r == op || side(r) != Side::kWaiting; });
}

// Every set has executed them.
bool OperatorCutter::AlwaysDies(OpId op, StorageId input) const {
  const Storage& storage = graph_.storage(input);
  return !storage.kept && std::all_of(storage.readers.begin(), storage.readers.end(), [&](OpId r) {
    return r == op || side(r) == Side::kExecuted;
  });
}

std::int64_t OperatorCutter::FixedBytes(OpId op) const {
  std::int64_t bytes = graph_.op(op).workspace_bytes;
  for (const StorageId output : graph_.op(op).outputs) bytes += graph_.storage(output).size_bytes;
  return bytes;
}

std::optional<std::int64_t> OperatorCutter::MinimizeLive(OpId op, std::uint64_t& work) {
  if (work < size_) {
    work = 0;
    return std::nullopt;
  }
  work -= size_;
  network_.Clear();
  fixed_live_ = 0;
  AddOps();
  for (std::size_t i = 0; i < graph_.num_storages(); ++i) AddStorage(op, StorageId(i));
  if (network_.Maximize(work) == FlowNetwork::Outcome::kOutOfWork) return std::nullopt;
  return fixed_live_ + network_.flow();
}

// An executed operator has executed predecessors.
void OperatorCutter::AddOps() {
  free_.clear();
  for (std::size_t i = 0; i < graph_.num_ops(); ++i) {
    if (sides_[i] != Side::kFree) continue;
    free_.push_back(OpId(i));
    nodes_[i] = network_.AddNode();
    for (const OpId before : graph_.op(OpId(i)).predecessors) {
      if (side(before) != Side::kFree) continue;
      network_.AddEdge(nodes_[i], nodes_[before.index()], FlowNetwork::kUnbounded);
    }
  }
}

// Cuts off the bytes of the storage when it is born on the source side and a reader waits on the
// other one.
void OperatorCutter::AddStorage(OpId op, StorageId id) {
  const Storage& storage = graph_.storage(id);
  if (storage.readers.empty() && !storage.kept) return;
  bool waited_for = storage.kept;
  std::size_t num_free = 0;
  for (const OpId reader : storage.readers) {
    waited_for |= side(reader) == Side::kWaiting;
    num_free += side(reader) == Side::kFree ? 1 : 0;
  }
  if (!waited_for && num_free == 0) return;
  const Birth birth = BirthOf(op, storage);
  if (birth.side == Side::kWaiting) return;
  const bool born = birth.side == Side::kExecuted;
  if (waited_for) {
    if (born) {
      fixed_live_ += storage.size_bytes;
    } else {
      network_.AddEdge(birth.node, FlowNetwork::kSink, storage.size_bytes);
    }
    return;
  }
  const FlowNetwork::Node all_read = network_.AddNode();
  network_.AddEdge(born ? FlowNetwork::kSource : birth.node, all_read, storage.size_bytes);
  for (const OpId reader : storage.readers) {
    if (side(reader) != Side::kFree) continue;
    network_.AddEdge(all_read, nodes_[reader.index()], FlowNetwork::kUnbounded);
  }
}

OperatorCutter::Birth OperatorCutter::BirthOf(OpId op, const Storage& storage) {
  if (storage.producer.valid()) {
    return {side(storage.producer), nodes_[storage.producer.index()]};
  }
  if (!first_use_ || storage.readers.empty()) return {Side::kExecuted, 0};
  // An input that arrives with its first reader is born when any reader is executed; what `op`
  // reads is there at its step in any case.
  bool may_be_born = false;
  for (const OpId reader : storage.readers) {
    if (reader == op || side(reader) == Side::kExecuted) return {Side::kExecuted, 0};
    may_be_born |= side(reader) == Side::kFree;
  }
  if (!may_be_born) return {Side::kWaiting, 0};
  const FlowNetwork::Node arrived = network_.AddNode();
  for (const OpId reader : storage.readers) {
    if (side(reader) != Side::kFree) continue;
    network_.AddEdge(nodes_[reader.index()], arrived, FlowNetwork::kUnbounded);
  }
  return {Side::kFree, arrived};
}

// Keeps the cheapest set that agrees with `sides_` when it is cheaper than the best so far; false
// when `work` runs out.
bool OperatorCutter::Offer(OpId op, std::int64_t step_bytes, OperatorCut& best,
                           std::uint64_t& work) {
  const std::optional<std::int64_t> live = MinimizeLive(op, work);
  if (!live) return false;
  if (*live + step_bytes >= best.bytes) return true;
  best.bytes = *live + step_bytes;
  best.executed.clear();
  for (std::size_t i = 0; i < sides_.size(); ++i) {
    const bool executed = sides_[i] == Side::kExecuted ||
                          (sides_[i] == Side::kFree && network_.OnSourceSide(nodes_[i]));
    if (executed) best.executed.push_back(OpId(i));
  }
  return true;
}

}  // namespace opass::bounds
