#include "opass/bounds/cheapest_state.h"

#include <algorithm>

namespace opass::bounds {

using memory::OpId;
using memory::Storage;
using memory::StorageId;
using memory::StorageOp;

CheapestState::CheapestState(const memory::StorageGraph& graph)
    : graph_(graph),
      first_use_(graph.problem().inputs == memory::InputArrival::kFirstUse),
      sides_(graph.num_ops(), Side::kFree),
      nodes_(graph.num_ops()) {
  size_ = graph.num_ops() + graph.num_storages();
  for (std::size_t i = 0; i < graph.num_ops(); ++i) {
    const StorageOp& op = graph.op(OpId(i));
    size_ += op.inputs.size() + op.predecessors.size();
  }
}

void CheapestState::Reset() { std::fill(sides_.begin(), sides_.end(), Side::kFree); }

// Puts `from`, and with it all its ancestors (or descendants), on one side.
void CheapestState::Spread(OpId from, Side side) {
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

std::optional<std::int64_t> CheapestState::Minimize(OpId running, std::uint64_t& work) {
  if (work < size_) {
    work = 0;
    return std::nullopt;
  }
  work -= size_;
  network_.Clear();
  fixed_live_ = 0;
  AddOps();
  for (std::size_t i = 0; i < graph_.num_storages(); ++i) AddStorage(running, StorageId(i));
  if (network_.Maximize(work) == FlowNetwork::Outcome::kOutOfWork) return std::nullopt;
  return fixed_live_ + network_.flow();
}

// An executed operator has executed predecessors.
void CheapestState::AddOps() {
  for (std::size_t i = 0; i < graph_.num_ops(); ++i) {
    if (sides_[i] != Side::kFree) continue;
    nodes_[i] = network_.AddNode();
    for (const OpId before : graph_.op(OpId(i)).predecessors) {
      if (side(before) != Side::kFree) continue;
      network_.AddEdge(nodes_[i], nodes_[before.index()], FlowNetwork::kUnbounded);
    }
  }
}

// Cuts off the bytes of the storage when it is born on the source side and a reader waits on the
// other one.
void CheapestState::AddStorage(OpId running, StorageId id) {
  const Storage& storage = graph_.storage(id);
  if (storage.readers.empty() && !storage.kept) return;
  bool waited_for = storage.kept;
  std::size_t num_free = 0;
  for (const OpId reader : storage.readers) {
    waited_for |= side(reader) == Side::kWaiting;
    num_free += side(reader) == Side::kFree ? 1 : 0;
  }
  if (!waited_for && num_free == 0) return;
  const Birth birth = BirthOf(running, storage);
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

CheapestState::Birth CheapestState::BirthOf(OpId running, const Storage& storage) {
  if (storage.producer.valid()) {
    return {side(storage.producer), nodes_[storage.producer.index()]};
  }
  if (!first_use_ || storage.readers.empty()) return {Side::kExecuted, 0};
  // An input that arrives with its first reader is born when any reader is executed; what is
  // running reads is there at its step in any case.
  bool may_be_born = false;
  for (const OpId reader : storage.readers) {
    if (reader == running || side(reader) == Side::kExecuted) return {Side::kExecuted, 0};
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

std::vector<OpId> CheapestState::Executed() const {
  std::vector<OpId> executed;
  for (std::size_t i = 0; i < sides_.size(); ++i) {
    const bool is_executed = sides_[i] == Side::kExecuted ||
                             (sides_[i] == Side::kFree && network_.OnSourceSide(nodes_[i]));
    if (is_executed) executed.push_back(OpId(i));
  }
  return executed;
}

}  // namespace opass::bounds
