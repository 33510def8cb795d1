#include "opass/bounds/cheapest_state.h"

#include <algorithm>
#include <span>

namespace opass::bounds {
namespace {

// A look at all operators and storages is a walk along memory: this many cost as much as a step
// along an edge of the network.
constexpr std::uint64_t kPerWork = 4;

}  // namespace

using memory::OpId;
using memory::StorageId;

CheapestState::CheapestState(const memory::StorageGraph& graph)
    : graph_(graph), sides_(graph.num_ops(), Side::kFree) {}

void CheapestState::Reset() { std::fill(sides_.begin(), sides_.end(), Side::kFree); }

// Puts `from`, and with it all its ancestors (or descendants), on one side.
void CheapestState::Spread(OpId from, Side side) {
  if (this->side(from) == side) return;
  sides_[from.index()] = side;
  stack_.assign(1, from);
  while (!stack_.empty()) {
    const std::size_t op = stack_.back().index();
    stack_.pop_back();
    for (const OpId next :
         side == Side::kExecuted ? graph_.predecessors[op] : graph_.successors[op]) {
      if (this->side(next) == side) continue;
      sides_[next.index()] = side;
      stack_.push_back(next);
    }
  }
}

std::optional<std::int64_t> CheapestState::Minimize(OpId running, std::uint64_t& work) {
  const std::uint64_t size = graph_.num_ops() + graph_.predecessors.num_items() +
                             graph_.num_storages() + graph_.readers.num_items();
  if (work < size / kPerWork) {
    work = 0;
    return std::nullopt;
  }
  work -= size / kPerWork;
  running_ = running;
  network_.Clear();
  items_.assign(2, Item{Kind::kOp, 0});
  op_nodes_.assign(graph_.num_ops(), kNone);
  arrived_nodes_.assign(graph_.num_storages(), kNone);
  read_nodes_.assign(graph_.num_storages(), kNone);
  fixed_live_ = 0;
  for (std::size_t i = 0; i < graph_.num_storages(); ++i) {
    if (IsBorn(i)) AddBorn(i);
  }
  if (network_.Maximize(work, this) == FlowNetwork::Outcome::kOutOfWork) return std::nullopt;
  return fixed_live_ + network_.flow();
}

std::optional<std::int64_t> CheapestState::Try(OpId op, Side side, std::int64_t most_bytes,
                                               std::uint64_t& work) {
  const std::int64_t bytes = fixed_live_ + network_.flow();
  if (bytes > most_bytes) return bytes;
  const Node node = NodeOf(Kind::kOp, op.index());
  const bool executed = side == Side::kExecuted;
  const auto rise =
      network_.FlowOver(executed ? FlowNetwork::kSource : node,
                        executed ? node : FlowNetwork::kSink, most_bytes - bytes + 1, work, this);
  if (!rise) return std::nullopt;
  return bytes + *rise;
}

// In every set that agrees with the decisions. What the running operator reads is there at its step
// in any case.
bool CheapestState::IsBorn(std::size_t storage) const {
  const PackedGraph::StorageFacts& facts = graph_.storages[storage];
  if (facts.producer.valid()) return side(facts.producer) == Side::kExecuted;
  if (!facts.arrives) return true;
  const std::span<const OpId> readers = graph_.readers[storage];
  return std::any_of(readers.begin(), readers.end(), [&](OpId reader) {
    return reader == running_ || side(reader) == Side::kExecuted;
  });
}

// After every set that agrees with the decisions.
bool CheapestState::IsWaitedFor(std::size_t storage) const {
  const std::span<const OpId> readers = graph_.readers[storage];
  return graph_.storages[storage].kept ||
         std::any_of(readers.begin(), readers.end(),
                     [&](OpId reader) { return side(reader) == Side::kWaiting; });
}

// Cuts off the bytes of a born storage when a reader is on the sink's side.
void CheapestState::AddBorn(std::size_t storage) {
  const std::int64_t size_bytes = graph_.storages[storage].size_bytes;
  if (IsWaitedFor(storage)) {
    fixed_live_ += size_bytes;
    return;
  }
  const std::span<const OpId> readers = graph_.readers[storage];
  const bool may_live = std::any_of(readers.begin(), readers.end(),
                                    [&](OpId reader) { return side(reader) == Side::kFree; });
  if (!may_live) return;
  network_.AddEdge(FlowNetwork::kSource, NodeOf(Kind::kAllRead, storage), size_bytes);
}

void CheapestState::Grow(Node node) {
  const Item item = items_[node];
  switch (item.kind) {
    case Kind::kOp:
      GrowOp(node, item.index);
      break;
    case Kind::kArrived:
      AddBirth(node, item.index);
      break;
    case Kind::kAllRead:
      for (const OpId reader : graph_.readers[item.index]) {
        if (side(reader) != Side::kFree) continue;
        network_.AddEdge(node, NodeOf(Kind::kOp, reader.index()), FlowNetwork::kUnbounded);
      }
  }
}

// An executed operator has executed predecessors, and gives birth to its outputs.
void CheapestState::GrowOp(Node node, std::size_t op) {
  for (const OpId before : graph_.predecessors[op]) {
    if (side(before) != Side::kFree) continue;
    network_.AddEdge(node, NodeOf(Kind::kOp, before.index()), FlowNetwork::kUnbounded);
  }
  for (const StorageId output : graph_.outputs[op]) AddBirth(node, output.index());
  for (const StorageId input : graph_.first_reads[op]) {
    if (IsBorn(input.index())) continue;
    network_.AddEdge(node, NodeOf(Kind::kArrived, input.index()), FlowNetwork::kUnbounded);
  }
}

// `node` gives birth to the storage: cuts off its bytes when a reader is on the sink's side.
void CheapestState::AddBirth(Node node, std::size_t storage) {
  const std::int64_t size_bytes = graph_.storages[storage].size_bytes;
  if (IsWaitedFor(storage)) {
    network_.AddEdge(node, FlowNetwork::kSink, size_bytes);
  } else if (!graph_.readers[storage].empty()) {
    network_.AddEdge(node, NodeOf(Kind::kAllRead, storage), size_bytes);
  }
}

CheapestState::Node CheapestState::NodeOf(Kind kind, std::size_t index) {
  std::vector<Node>& nodes = kind == Kind::kOp        ? op_nodes_
                             : kind == Kind::kArrived ? arrived_nodes_
                                                      : read_nodes_;
  if (nodes[index] == kNone) {
    nodes[index] = network_.AddNode();
    items_.push_back({kind, static_cast<std::uint32_t>(index)});
  }
  return nodes[index];
}

std::vector<OpId> CheapestState::Executed() const {
  std::vector<OpId> executed;
  for (std::size_t i = 0; i < sides_.size(); ++i) {
    const bool is_executed =
        sides_[i] == Side::kExecuted ||
        (sides_[i] == Side::kFree && op_nodes_[i] != kNone && network_.OnSourceSide(op_nodes_[i]));
    if (is_executed) executed.push_back(OpId(i));
  }
  return executed;
}

}  // namespace opass::bounds
