// Simulated annealing (Kirkpatrick, Gelatt and Vecchi, Science 1983): a walk that takes a random
// action, or goes one action back; what is worse is kept the less often the worse it is and the
// more of the budget is used up.
#include <algorithm>

#include "opass/orchestrator/strategies/dice.h"
#include "opass/orchestrator/strategies/strategy.h"

namespace opass::orchestrator {
namespace {

// Losses as fractions of the start's peak that are kept with a probability of about one in e.
constexpr double kFirstTemperature = 0.1;
constexpr double kLastTemperature = 0.001;
constexpr double kChanceToGoBack = 0.15;

double Temperature(const Search& search) {
  const double used =
      static_cast<double>(search.evaluator().counts().evaluations) /
      static_cast<double>(std::max<std::int64_t>(search.options().max_evaluations, 1));
  return kFirstTemperature + (kLastTemperature - kFirstTemperature) * std::min(used, 1.0);
}

// Stands for e^-x, and is the same on every machine.
double Decay(double x) { return 1 / (1 + x + x * x / 2 + x * x * x / 6); }

Result<StateId> Step(Search& search, Dice& dice, StateId state) {
  OPASS_RETURN_IF_ERROR(search.Open(state));
  const std::size_t num_actions = search.Actions(state).size();
  if (num_actions == 0 || dice.Unit() < kChanceToGoBack) {
    return state == kStart ? kStart : search.PathTo(state).back().from;
  }
  OPASS_ASSIGN_OR_RETURN(const Trial trial, search.Try(state, dice.Below(num_actions)));
  const std::optional<double> gain = trial.to.valid() ? search.Gain(trial.to) : std::nullopt;
  if (!gain) return state;
  const double loss = *search.Gain(state) - *gain;
  if (loss <= 0 || dice.Unit() < Decay(loss / Temperature(search))) return trial.to;
  return state;
}

Status Run(Search& search) {
  if (search.Actions(kStart).empty()) return {};
  Dice dice(search.options().seed);
  StateId state = kStart;
  while (!search.Done()) {
    OPASS_ASSIGN_OR_RETURN(state, Step(search, dice, state));
  }
  return {};
}

}  // namespace

extern const Strategy strategy_anneal;
const Strategy strategy_anneal = {
    .name = "anneal",
    .summary = "simulated annealing",
    .run = Run,
};

}  // namespace opass::orchestrator
