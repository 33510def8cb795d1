#include "opass/orchestrator/strategies/explorer.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace opass::orchestrator {
namespace {

// The weight of the bonus, in gains of the best state so far (of at least kLeastScale of the
// start's peak, so that a search that has found nothing yet still tells large from small).
constexpr double kExploration = 0.5;
constexpr double kLeastScale = 0.02;
// After so many trials without a better state the bonus has twice the weight, and so on.
constexpr double kPatience = 20;
// A trial of a kind says something of other kinds of its pass.
constexpr double kPassShare = 0.2;
// A pass that is less likely than this to work at last is no hope.
constexpr double kLeastHope = 0.05;
// Actions in a row: more of them take the evaluations from what is worth more.
constexpr int kPlayoutSteps = 2;
// Below this an effect is none.
constexpr double kTiny = 1e-6;
constexpr double kNothing = -std::numeric_limits<double>::infinity();

// log2(n), n >= 1, by lines between the powers of two: the same on every machine.
double Log2(std::int64_t n) {
  const auto value = static_cast<std::uint64_t>(n);
  const int width = std::bit_width(value);
  const double power = static_cast<double>(std::uint64_t{1} << (width - 1));
  return width - 1 + (static_cast<double>(value) - power) / power;
}

// The chance that a kind is an opportunity in a state, tried or not.
double Chance(const TransferGraph& graph, StateId state, KindId kind) {
  const Opportunity* opportunity = graph.Find(state, kind);
  if (opportunity == nullptr) return 0;
  if (opportunity->tried) return opportunity->works ? 1 : 0;
  return opportunity->chance;
}

}  // namespace

Explorer::Explorer(Search& search) : search_(search) {}

Explorer::Node& Explorer::At(StateId state) {
  if (nodes_.size() <= state.index()) nodes_.resize(state.index() + 1);
  Node& node = nodes_[state.index()];
  if (!node.is_known) {
    node.is_known = true;
    node.action_visits.assign(search_.Actions(state).size(), 0);
    node.potential = kNothing;
    for (const Opportunity& opportunity : search_.graph().Opportunities(state)) {
      node.potential = std::max(node.potential, search_.Gain(state).value_or(0) +
                                                    ExpectedEffect(state, opportunity.kind));
    }
  }
  return node;
}

void Explorer::CountTrials() {
  const TransferGraph& graph = search_.graph();
  pass_trials_.resize(graph.num_passes());
  pass_works_.resize(graph.num_passes());
  for (; num_trials_ < search_.trials().size(); ++num_trials_) {
    const Trial& trial = search_.trials()[num_trials_];
    const KindId kind = graph.Choices(trial.from)[trial.action].kind;
    const std::size_t pass = graph.PassOf(kind).index();
    ++pass_trials_[pass];
    if (trial.to.valid()) pass_works_[pass] = true;
  }
  scale_ = std::max(search_.BestGain(), kLeastScale);
}

double Explorer::Count(StateId state, std::size_t action) {
  const TransferGraph& graph = search_.graph();
  const Choice choice = graph.Choices(state)[action];
  if (!IsToTry(choice)) return static_cast<double>(At(state).action_visits[action]);
  return Log2(1 + graph.NumTried(choice.kind)) +
         kPassShare * Log2(1 + pass_trials_[graph.PassOf(choice.kind).index()]);
}

// Not tried, or passed through without a look at the memory.
bool Explorer::IsToTry(const Choice& choice) const {
  if (!choice.tried) return true;
  return choice.to.valid() && !search_.IsClosed(choice.to) && !search_.Gain(choice.to);
}

// Of a pass that nobody has seen work much is hoped; a kind that was seen to do nothing is worth
// less than nothing, so that what else there is comes first.
double Explorer::ExpectedEffect(StateId state, KindId kind) const {
  const TransferGraph& graph = search_.graph();
  const double chance = Chance(graph, state, kind);
  const std::size_t pass = graph.PassOf(kind).index();
  double effect = chance * search_.effects().Worth(kind);
  const auto tried = static_cast<double>(graph.NumTried(kind));
  const double hope = chance / (1 + tried);
  if (hope > kLeastHope && (pass >= pass_works_.size() || !pass_works_[pass])) {
    effect += hope * scale_;
  }
  if (effect > kTiny) return effect;
  return effect - scale_ * tried / (tried + 1);
}

// The action gained nothing and made nothing of worth possible: all that can be tried after it can
// be tried without it.
bool Explorer::IsBarren(StateId from, StateId to) const {
  if (search_.Gain(to).value_or(0) > search_.Gain(from).value_or(0) + kTiny) return false;
  const TransferGraph& graph = search_.graph();
  return std::ranges::none_of(graph.Opportunities(to), [&](const Opportunity& opportunity) {
    const KindId kind = opportunity.kind;
    const double more = Chance(graph, to, kind) - Chance(graph, from, kind);
    return more > kTiny && more * ExpectedEffect(to, kind) > kTiny;
  });
}

std::optional<double> Explorer::Value(StateId state, std::size_t action) {
  const Choice choice = search_.graph().Choices(state)[action];
  if (IsToTry(choice)) return search_.Gain(state).value_or(0) + ExpectedEffect(state, choice.kind);
  if (!choice.to.valid() || search_.IsClosed(choice.to)) return std::nullopt;
  const Node& below = At(choice.to);
  if (below.is_exhausted || below.is_on_way) return std::nullopt;
  return below.potential - (IsBarren(state, choice.to) ? scale_ : 0);
}

std::optional<std::size_t> Explorer::BestAction(StateId state) {
  std::optional<std::size_t> best;
  double best_score = kNothing;
  const double log_visits = Log2(1 + At(state).num_visits);
  const auto fruitless = static_cast<double>(search_.trials().size() - trials_at_best_);
  const double weight = kExploration * scale_ * (1 + fruitless / kPatience);
  for (std::size_t i = 0; i < search_.Actions(state).size(); ++i) {
    const std::optional<double> value = Value(state, i);
    if (!value) continue;
    const double score = *value + weight * std::sqrt(log_visits / (1 + Count(state, i)));
    if (best && score <= best_score) continue;
    best = i;
    best_score = score;
  }
  return best;
}

std::optional<std::size_t> Explorer::Step(StateId state) {
  way_.push_back(state);
  ++At(state).num_visits;
  At(state).is_on_way = true;
  const std::optional<std::size_t> action = BestAction(state);
  if (action) ++At(state).action_visits[*action];
  return action;
}

std::optional<std::size_t> Explorer::Descend() {
  way_.clear();
  StateId state = kStart;
  while (true) {
    const std::optional<std::size_t> action = Step(state);
    if (!action) return std::nullopt;
    const Choice choice = search_.graph().Choices(state)[*action];
    if (IsToTry(choice)) return action;
    state = choice.to;
  }
}

void Explorer::RefreshPotentials() {
  for (std::size_t i = way_.size(); i-- > 0;) {
    const StateId state = way_[i];
    At(state).is_on_way = false;
    double potential = kNothing;
    for (std::size_t action = 0; action < search_.Actions(state).size(); ++action) {
      potential = std::max(potential, Value(state, action).value_or(kNothing));
    }
    At(state).potential = potential;
  }
}

Status Explorer::Iterate() {
  std::optional<std::size_t> action = Descend();
  if (!action) {
    // What it leads to is on the way to it, or exhausted: it is tried from there.
    At(way_.back()).is_exhausted = true;
  }
  for (int step = 0; action && step < kPlayoutSteps && !search_.Done(); ++step) {
    const Result<Trial> trial = search_.Try(way_.back(), *action);
    if (!trial.ok()) return trial.error();
    // What becomes possible is to be learnt, even where the memory is no better.
    if (trial->to.valid() && search_.Gain(trial->to)) {
      OPASS_RETURN_IF_ERROR(search_.Open(trial->to));
    }
    if (trial->outcome == Outcome::kBest) trials_at_best_ = search_.trials().size();
    CountTrials();
    if (!IsWorthGoingOn(*trial)) break;
    action = Step(trial->to);
  }
  RefreshPotentials();
  return {};
}

// Several actions may gain only together: as long as the peak is no higher than before, the next
// one is tried at once.
bool Explorer::IsWorthGoingOn(const Trial& trial) {
  if (trial.outcome != Outcome::kBest && trial.outcome != Outcome::kNotBetter) return false;
  const std::optional<Cost> before = search_.CostOf(trial.from);
  return before && search_.CostOf(trial.to)->peak_bytes <= before->peak_bytes &&
         !At(trial.to).is_on_way && !At(trial.to).is_exhausted;
}

Status Explorer::Run() {
  // States of walks, passed through or cut off by a bound.
  for (const Trial& trial : std::vector<Trial>(search_.trials().begin(), search_.trials().end())) {
    if (trial.to.valid()) OPASS_RETURN_IF_ERROR(search_.Open(trial.to));
  }
  search_.effects().Refresh();
  CountTrials();
  trials_at_best_ = search_.trials().size();
  while (!search_.Done() && !At(kStart).is_exhausted) OPASS_RETURN_IF_ERROR(Iterate());
  return {};
}

}  // namespace opass::orchestrator
