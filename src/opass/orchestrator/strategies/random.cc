// Random walks from the start, every state on the way evaluated.
#include "opass/orchestrator/strategies/dice.h"
#include "opass/orchestrator/strategies/strategy.h"

namespace opass::orchestrator {
namespace {

constexpr double kChanceToGoOn = 0.8;

Status Run(Search& search) {
  Dice dice(search.options().seed);
  while (!search.Done()) {
    StateId state = kStart;
    do {
      OPASS_RETURN_IF_ERROR(search.Open(state));
      const std::size_t num_actions = search.Actions(state).size();
      if (num_actions == 0) break;
      OPASS_ASSIGN_OR_RETURN(const Trial trial, search.Try(state, dice.Below(num_actions)));
      if (trial.to.valid() && !search.IsClosed(trial.to)) state = trial.to;
    } while (!search.Done() && dice.Unit() < kChanceToGoOn);
    if (search.Actions(kStart).empty()) break;
  }
  return {};
}

}  // namespace

extern const Strategy strategy_random;
const Strategy strategy_random = {
    .name = "random",
    .summary = "random walks",
    .run = Run,
};

}  // namespace opass::orchestrator
