#include "opass/schedulers/search/components.h"

#include <algorithm>

namespace opass::schedulers {

using memory::OpId;
using memory::StorageId;

Components::Components(const StepGraph& graph)
    : graph_(graph), waits_in_(graph.num_ops(), 0), read_in_(graph.storages.size(), 0) {}

std::vector<std::vector<OpId>> Components::Split(const StepState& state,
                                                 std::span<const OpId> ops) {
  ++round_;
  for (const OpId op : ops) waits_in_[op.index()] = round_;
  std::vector<std::vector<OpId>> groups;
  for (const OpId op : ops) {
    if (waits_in_[op.index()] != round_) continue;
    Spread(state, op, groups.emplace_back());
    std::sort(groups.back().begin(), groups.back().end());
  }
  return groups;
}

void Components::Reach(OpId op) {
  if (waits_in_[op.index()] != round_) return;
  waits_in_[op.index()] = 0;
  stack_.push_back(op);
}

void Components::Spread(const StepState& state, OpId from, std::vector<OpId>& group) {
  Reach(from);
  while (!stack_.empty()) {
    const OpId op = stack_.back();
    stack_.pop_back();
    group.push_back(op);
    ++work_;
    for (const Rows<OpId>* links : {&graph_.predecessors, &graph_.successors}) {
      work_ += (*links)[op.index()].size();
      for (const OpId other : (*links)[op.index()]) Reach(other);
    }
    for (const StorageId input : graph_.inputs[op.index()]) {
      if (read_in_[input.index()] == round_ || !state.IsOpen(input)) continue;
      read_in_[input.index()] = round_;
      work_ += graph_.readers[input.index()].size();
      for (const OpId reader : graph_.readers[input.index()]) Reach(reader);
    }
  }
}

}  // namespace opass::schedulers
