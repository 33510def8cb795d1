#include "opass/schedulers/search/greedy_steps.h"

#include <algorithm>
#include <limits>
#include <tuple>

#include "opass/schedulers/search/free_steps.h"
#include "opass/support/interrupt.h"

namespace opass::schedulers {
namespace {

using memory::OpId;

// An operator with more links is judged by its own step, without trying it.
constexpr std::size_t kMaxTriedLinks = 512;
// Free steps that a try follows.
constexpr std::size_t kMaxTriedSteps = 64;
// Graphs up to this many operators are looked at more closely.
constexpr std::size_t kSmall = 4000;

struct Score {
  std::int64_t peak_bytes = std::numeric_limits<std::int64_t>::max();
  std::int64_t live_bytes = std::numeric_limits<std::int64_t>::max();

  bool BetterThan(const Score& other) const {
    return std::tie(peak_bytes, live_bytes) < std::tie(other.peak_bytes, other.live_bytes);
  }
};

Score Probe(StepState& state, OpId op, std::int64_t peak_bytes) {
  const StepCost cost = state.Cost(op);
  const Score score{std::max(peak_bytes, cost.step_bytes), cost.live_bytes};
  const StepGraph& graph = state.graph();
  if (graph.successors[op.index()].size() + graph.predecessors[op.index()].size() >
      kMaxTriedLinks) {
    return score;
  }
  const std::size_t before = state.num_taken();
  state.Take(op);
  TakeOpenedSteps(state, score.peak_bytes, kMaxTriedSteps);
  const std::int64_t live_bytes = state.live_bytes();
  state.UndoTo(before);
  return {score.peak_bytes, live_bytes};
}

OpId Choose(StepState& state, std::int64_t peak_bytes, std::size_t max_looked) {
  const std::size_t looked = std::min(max_looked, state.ready().size());
  const std::size_t first = state.ready().size() - looked;
  OpId best;
  Score best_score;
  for (std::size_t i = first + looked; i-- > first;) {  // the latest of equals
    const OpId op = state.ready()[i];
    if (std::max(peak_bytes, state.Cost(op).step_bytes) > best_score.peak_bytes) continue;
    const Score score = Probe(state, op, peak_bytes);
    if (best.valid() && !score.BetterThan(best_score)) continue;
    best = op;
    best_score = score;
  }
  return best;
}

}  // namespace

void CompleteGreedily(StepState& state, std::int64_t peak_bytes, std::size_t max_looked) {
  TakeFreeSteps(state, peak_bytes, max_looked);
  while (!state.complete()) {
    const OpId op = Interrupted() ? state.ready().back() : Choose(state, peak_bytes, max_looked);
    peak_bytes = std::max(peak_bytes, state.Cost(op).step_bytes);
    state.Take(op);
    TakeOpenedSteps(state, peak_bytes, state.graph().num_ops());
    TakeFreeSteps(state, peak_bytes, max_looked);
  }
}

std::vector<OpId> GreedyOrder(const StepGraph& graph, Direction direction) {
  const std::size_t max_looked = graph.num_ops() <= kSmall ? 64 : 16;
  StepState state(graph, direction);
  CompleteGreedily(state, state.live_bytes(), max_looked);
  return {state.path().begin(), state.path().end()};
}

}  // namespace opass::schedulers
