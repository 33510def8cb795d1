// Beam search: of all states that the actions of the kept ones lead to, the few with the least cost
// are kept, whether better than before or not.
#include <algorithm>
#include <set>
#include <vector>

#include "opass/orchestrator/strategies/strategy.h"

namespace opass::orchestrator {
namespace {

constexpr std::size_t kWidth = 4;

// The states one action after `state` that have a cost and were not met before.
Status Expand(Search& search, StateId state, std::set<StateId>& met, std::vector<StateId>& next) {
  OPASS_RETURN_IF_ERROR(search.Open(state));
  for (std::size_t i = 0; i < search.Actions(state).size() && !search.Done(); ++i) {
    OPASS_ASSIGN_OR_RETURN(const Trial trial, search.Try(state, i));
    if (!trial.to.valid() || !search.CostOf(trial.to)) continue;
    if (met.insert(trial.to).second) next.push_back(trial.to);
  }
  return {};
}

Status Run(Search& search) {
  std::vector<StateId> beam = {kStart};
  std::set<StateId> met = {kStart};
  while (!beam.empty() && !search.Done()) {
    std::vector<StateId> next;
    for (const StateId state : beam) OPASS_RETURN_IF_ERROR(Expand(search, state, met, next));
    std::ranges::stable_sort(
        next, [&](StateId a, StateId b) { return *search.CostOf(a) < *search.CostOf(b); });
    if (next.size() > kWidth) next.resize(kWidth);
    beam = std::move(next);
  }
  return {};
}

}  // namespace

extern const Strategy strategy_beam;
const Strategy strategy_beam = {
    .name = "beam",
    .summary = "the states of least cost, a few at a time",
    .run = Run,
};

}  // namespace opass::orchestrator
