#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "opass/bounds/flow_network.h"
#include "opass/memory/storage.h"
#include "opass/memory/takeover_matching.h"

namespace opass::bounds {

// What one operator needs in the cheapest state in which it can run.
struct OperatorCut {
  std::int64_t bytes = 0;
  std::vector<memory::OpId> executed;  // the operators executed before it in that state, ascending
};

// The operator bound h(v): the minimum, over all sets S of executed operators that hold the
// ancestors of v and neither v nor a descendant, of the bytes live while v runs. Live bytes are a
// sum of terms [producer in S and some reader not in S], so the minimum is a minimum cut (Picard
// 1976, maximum closure) with "executed" as the source side. Ancestors and descendants are decided
// beforehand and leave the network: what stays is small and has short augmenting paths.
//
// What v saves by taking over an input depends on S as well. For one output it is the better of
// "no takeover" and, for each candidate, "all other readers of it are in S", each a cut of its own;
// for several outputs the most that any S allows is subtracted, which keeps the bound valid.
class OperatorCutter {
 public:
  explicit OperatorCutter(const memory::StorageGraph& graph);

  // h(op) when it is above `above`; nothing when it is not, or when `work` (units: edges and
  // operators looked at) ran out before it was known.
  std::optional<OperatorCut> Bound(memory::OpId op, std::int64_t above, std::uint64_t& work);

 private:
  enum class Side : std::uint8_t { kFree, kExecuted, kWaiting };
  // A producer's place in the network: decided, or a node.
  struct Birth {
    Side side = Side::kFree;
    FlowNetwork::Node node = 0;
  };

  Side side(memory::OpId op) const { return sides_[op.index()]; }
  void Decide(memory::OpId op);
  void Spread(memory::OpId from, Side side);
  bool CanDie(memory::OpId op, memory::StorageId input) const;
  bool AlwaysDies(memory::OpId op, memory::StorageId input) const;
  std::int64_t FixedBytes(memory::OpId op) const;
  // The minimum over the sets that agree with `sides_` of the bytes live before `op`, with inputs
  // that arrive at `op`; nothing when `work` runs out.
  std::optional<std::int64_t> MinimizeLive(memory::OpId op, std::uint64_t& work);
  void AddOps();
  void AddStorage(memory::OpId op, memory::StorageId id);
  Birth BirthOf(memory::OpId op, const memory::Storage& storage);
  bool Offer(memory::OpId op, std::int64_t step_bytes, OperatorCut& best, std::uint64_t& work);

  const memory::StorageGraph& graph_;
  memory::TakeoverMatching matching_;
  bool first_use_;
  std::uint64_t size_ = 0;  // operators, storages and their links: the cost of a look at all
  std::vector<Side> sides_;
  std::vector<FlowNetwork::Node> nodes_;  // per operator, when free
  std::vector<memory::OpId> free_;
  std::vector<memory::OpId> stack_;
  std::int64_t fixed_live_ = 0;  // live in every set that agrees with `sides_`
  FlowNetwork network_;
};

}  // namespace opass::bounds
