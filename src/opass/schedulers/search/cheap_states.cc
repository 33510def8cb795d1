#include "opass/schedulers/search/cheap_states.h"

#include <algorithm>
#include <utility>

namespace opass::schedulers {
namespace {

constexpr std::size_t kMaxStates = 512;

}  // namespace

using memory::OpId;

const OpSet& CheapStates::Add(std::span<const OpId> executed, std::int64_t live_bytes) {
  State state{OpSet(graph_.num_ops()), live_bytes};
  for (const OpId op : executed) state.executed.Insert(op);
  if (states_.size() < kMaxStates) return states_.emplace_back(std::move(state)).executed;
  State& replaced = states_[oldest_];
  oldest_ = (oldest_ + 1) % kMaxStates;
  replaced = std::move(state);
  return replaced.executed;
}

CheapStates::Sides CheapStates::SidesWithin(OpId op, std::int64_t most_bytes) const {
  Sides sides{OpSet(graph_.num_ops()), OpSet(graph_.num_ops())};
  const std::vector<OpId>& before = graph_.op(op).predecessors;
  for (const State& state : states_) {
    const bool runs_in = state.live_bytes <= most_bytes && !state.executed.Holds(op) &&
                         std::all_of(before.begin(), before.end(),
                                     [&](OpId first) { return state.executed.Holds(first); });
    if (!runs_in) continue;
    sides.executed.InsertAllOf(state.executed);
    sides.waiting.InsertAllBut(state.executed);
  }
  return sides;
}

}  // namespace opass::schedulers
