#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "opass/bounds/flow_network.h"
#include "opass/bounds/packed_graph.h"
#include "opass/memory/storage.h"

namespace opass::bounds {

// The set of executed operators, closed under predecessors, with the fewest bytes live, some
// operators being decided beforehand. Live bytes are a sum of terms [producer in S and some reader
// not in S], so the minimum is a minimum cut (Picard 1976, maximum closure) with "executed" as the
// source side. Decided operators leave the network: what stays is small and has short augmenting
// paths. The network grows from the source only as far as the flow comes: where few operators need
// moving to reach the minimum, the size of the graph matters only for deciding.
class CheapestState : private FlowNetwork::Grower {
 public:
  enum class Side : std::uint8_t { kFree, kExecuted, kWaiting };

  explicit CheapestState(const memory::StorageGraph& graph);

  // Forgets all decisions.
  void Reset();
  // Decides the operator and all that it needs, or all that need it.
  void Execute(memory::OpId op) { Spread(op, Side::kExecuted); }
  void Postpone(memory::OpId op) { Spread(op, Side::kWaiting); }
  Side side(memory::OpId op) const { return sides_[op.index()]; }

  // The fewest bytes live in a set that agrees with the decisions; nothing when `work` (units:
  // edges and operators looked at) runs out. With a valid `running`, which must be waiting, the
  // inputs that arrive at its step count as live.
  std::optional<std::int64_t> Minimize(memory::OpId running, std::uint64_t& work);
  // After Minimize: the minimum when a free operator is decided in addition (and with it all that
  // it needs, or all that need it), if that is at most `most_bytes`, else some more than that. The
  // decision is forgotten again. Costs little more than the flow by which the minimum rises.
  // Nothing: out of work.
  std::optional<std::int64_t> Try(memory::OpId op, Side side, std::int64_t most_bytes,
                                  std::uint64_t& work);
  // After Minimize, or after a Try within its bytes: the operators of the smallest such set,
  // ascending.
  std::vector<memory::OpId> Executed() const;

 private:
  using Node = FlowNetwork::Node;
  static constexpr Node kNone = FlowNetwork::kSource;  // no operator or storage has it
  // What a node stands for.
  enum class Kind : std::uint8_t {
    kOp,       // executed
    kArrived,  // an input that arrives with its first reader has arrived
    kAllRead   // all readers of a storage are executed
  };
  struct Item {
    Kind kind;
    std::uint32_t index;  // of the operator or the storage
  };

  void Spread(memory::OpId from, Side side);
  bool IsBorn(std::size_t storage) const;
  bool IsWaitedFor(std::size_t storage) const;
  void AddBorn(std::size_t storage);
  void Grow(Node node) override;
  void GrowOp(Node node, std::size_t op);
  void AddBirth(Node node, std::size_t storage);
  Node NodeOf(Kind kind, std::size_t index);

  const PackedGraph graph_;
  std::vector<Side> sides_;
  std::vector<memory::OpId> stack_;
  memory::OpId running_;
  std::int64_t fixed_live_ = 0;  // live in every set that agrees with `sides_`
  FlowNetwork network_;
  std::vector<Item> items_;          // per node
  std::vector<Node> op_nodes_;       // per operator
  std::vector<Node> arrived_nodes_;  // per storage
  std::vector<Node> read_nodes_;     // per storage
};

}  // namespace opass::bounds
