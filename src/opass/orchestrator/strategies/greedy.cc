// Steepest descent: tries every action of the state at hand and takes the one that lowers the peak
// most; stops when none does.
#include <optional>

#include "opass/orchestrator/strategies/strategy.h"

namespace opass::orchestrator {
namespace {

// Where the best action leads; nothing when no action lowers the peak.
Result<std::optional<StateId>> BestLower(Search& search, StateId state) {
  Cost best = *search.CostOf(state);
  const std::int64_t peak_bytes = best.peak_bytes;
  std::optional<StateId> to;
  for (std::size_t i = 0; i < search.Actions(state).size() && !search.Done(); ++i) {
    OPASS_ASSIGN_OR_RETURN(const Trial trial, search.Try(state, i));
    const bool is_scheduled =
        trial.outcome == Outcome::kBest || trial.outcome == Outcome::kNotBetter;
    if (!is_scheduled) continue;
    const Cost cost = *search.CostOf(trial.to);
    if (cost.peak_bytes >= peak_bytes || !(cost < best)) continue;
    best = cost;
    to = trial.to;
  }
  return to;
}

Status Run(Search& search) {
  StateId state = kStart;
  while (!search.Done()) {
    OPASS_ASSIGN_OR_RETURN(const std::optional<StateId> to, BestLower(search, state));
    if (!to) break;
    state = *to;
  }
  return {};
}

}  // namespace

extern const Strategy strategy_greedy;
const Strategy strategy_greedy = {
    .name = "greedy",
    .summary = "the action that lowers the peak most, until none does",
    .run = Run,
};

}  // namespace opass::orchestrator
