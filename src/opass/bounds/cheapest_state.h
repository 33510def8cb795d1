#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "opass/bounds/flow_network.h"
#include "opass/memory/storage.h"

namespace opass::bounds {

// The set of executed operators, closed under predecessors, with the fewest bytes live, some
// operators being decided beforehand. Live bytes are a sum of terms [producer in S and some reader
// not in S], so the minimum is a minimum cut (Picard 1976, maximum closure) with "executed" as the
// source side. Decided operators leave the network: what stays is small and has short augmenting
// paths.
class CheapestState {
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
  // After Minimize: the operators of the smallest such set, ascending.
  std::vector<memory::OpId> Executed() const;

 private:
  // A producer's place in the network: decided, or a node.
  struct Birth {
    Side side = Side::kFree;
    FlowNetwork::Node node = 0;
  };

  void Spread(memory::OpId from, Side side);
  void AddOps();
  void AddStorage(memory::OpId running, memory::StorageId id);
  Birth BirthOf(memory::OpId running, const memory::Storage& storage);

  const memory::StorageGraph& graph_;
  bool first_use_;
  std::uint64_t size_ = 0;  // operators, storages and their links: the cost of a look at all
  std::vector<Side> sides_;
  std::vector<FlowNetwork::Node> nodes_;  // per operator, when free
  std::vector<memory::OpId> stack_;
  std::int64_t fixed_live_ = 0;  // live in every set that agrees with `sides_`
  FlowNetwork network_;
};

}  // namespace opass::bounds
