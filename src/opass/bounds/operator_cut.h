#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "opass/bounds/cheapest_state.h"
#include "opass/memory/storage.h"
#include "opass/memory/takeover_matching.h"

namespace opass::bounds {

// What one operator needs in the cheapest state in which it can run.
struct OperatorCut {
  std::int64_t bytes = 0;
  std::vector<memory::OpId> executed;  // the operators executed before it in that state, ascending
};

// The operator bound h(v): the minimum, over all sets S of executed operators that hold the
// ancestors of v and neither v nor a descendant, of the bytes live while v runs.
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
  void Decide(memory::OpId op);
  bool CanDie(memory::OpId op, memory::StorageId input) const;
  bool AlwaysDies(memory::OpId op, memory::StorageId input) const;
  std::int64_t FixedBytes(memory::OpId op) const;
  bool Offer(memory::OpId op, std::int64_t step_bytes, OperatorCut& best, std::uint64_t& work);

  const memory::StorageGraph& graph_;
  memory::TakeoverMatching matching_;
  CheapestState state_;
};

}  // namespace opass::bounds
