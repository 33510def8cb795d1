#include "opass/orchestrator/search.h"

#include <algorithm>

namespace opass::orchestrator {
namespace {

// The slope on a plateau is worth little against a lower peak, whatever the norm's exponent.
constexpr double kNormWeight = 0.25;
// Of the budget, at most so much is kept for undoing.
constexpr std::int64_t kMaxReserveShare = 4;

}  // namespace

Search::Search(PassDomain& domain, const SearchOptions& options)
    : domain_(domain),
      options_(options),
      evaluator_(domain, options),
      effects_(graph_, options.implicit_effects) {}

Status Search::Begin() {
  Reach(kStart, StateId(), 0);
  const Result<Evaluation> evaluation = evaluator_.Evaluate(kStart);
  if (!evaluation.ok()) return evaluation.error();
  return Open(kStart);
}

void Search::Reach(StateId state, StateId parent, std::size_t action) {
  const std::size_t depth = parent.valid() ? Depth(parent) + 1 : 0;
  if (reached_.size() <= state.index()) reached_.resize(state.index() + 1);
  std::optional<Reached>& reached = reached_[state.index()];
  if (!reached) {
    reached.emplace();
  } else if (depth >= reached->depth) {
    return;
  }
  // Depths only fall, so that parents stay nearer to the start than their children.
  reached->parent = parent;
  reached->action = action;
  reached->depth = depth;
}

Status Search::Open(StateId state) {
  if (reached_[state.index()]->is_open) return {};
  OPASS_ASSIGN_OR_RETURN(std::vector<Action> actions, domain_.Propose(state));
  graph_.AddState(state, actions);
  Reached& reached = *reached_[state.index()];
  reached.is_open = true;
  reached.trials.resize(actions.size());
  reached.actions = std::move(actions);
  return {};
}

std::span<const Action> Search::Actions(StateId state) const {
  return reached_[state.index()]->actions;
}

std::size_t Search::Depth(StateId state) const { return reached_[state.index()]->depth; }

// The position of the trial in trials_.
Result<std::size_t> Search::WalkTrial(StateId from, std::size_t action) {
  ++num_steps_;
  OPASS_RETURN_IF_ERROR(Open(from));
  if (const auto known = reached_[from.index()]->trials[action]) return *known;
  OPASS_ASSIGN_OR_RETURN(const std::optional<StateId> applied, domain_.Apply(from, action));
  const StateId to = applied && *applied != from ? *applied : StateId();
  if (to.valid()) {
    Reach(to, from, action);
  } else {
    ++evaluator_.counts().no_changes;
  }
  reached_[from.index()]->trials[action] = trials_.size();
  trials_.push_back({from, action, to, to.valid() ? Outcome::kNotEvaluated : Outcome::kNoChange});
  is_learnt_.push_back(false);
  graph_.AddTrial(from, action, to);
  return trials_.size() - 1;
}

Result<Trial> Search::Walk(StateId from, std::size_t action) {
  OPASS_ASSIGN_OR_RETURN(const std::size_t trial, WalkTrial(from, action));
  return trials_[trial];
}

Result<Trial> Search::Try(StateId from, std::size_t action) {
  OPASS_ASSIGN_OR_RETURN(const std::size_t trial, WalkTrial(from, action));
  if (trials_[trial].outcome != Outcome::kNotEvaluated &&
      trials_[trial].outcome != Outcome::kOutOfBudget) {
    return trials_[trial];
  }
  OPASS_ASSIGN_OR_RETURN(trials_[trial].outcome, Evaluate(trials_[trial].to));
  LearnDirect(trial);
  const bool is_scheduled =
      trials_[trial].outcome == Outcome::kBest || trials_[trial].outcome == Outcome::kNotBetter;
  if (is_scheduled) OPASS_RETURN_IF_ERROR(Open(trials_[trial].to));
  effects_.Refresh();
  return trials_[trial];
}

Result<Outcome> Search::Evaluate(StateId state) {
  const StateId best_before = evaluator_.best();
  OPASS_ASSIGN_OR_RETURN(const Evaluation evaluation, evaluator_.Evaluate(state));
  switch (evaluation.verdict) {
    case Verdict::kScheduled:
      return evaluator_.best() != best_before ? Outcome::kBest : Outcome::kNotBetter;
    case Verdict::kBeyondBound:
      return Outcome::kBeyondBound;
    case Verdict::kTooManyMacs:
      return Outcome::kTooManyMacs;
    case Verdict::kOutOfBudget:
      break;
  }
  return Outcome::kOutOfBudget;
}

void Search::LearnDirect(std::size_t trial) {
  const Trial& done = trials_[trial];
  if (is_learnt_[trial] || !done.to.valid()) return;
  const std::optional<double> before = Gain(done.from);
  const std::optional<double> after = Gain(done.to);
  if (!before || !after) return;
  is_learnt_[trial] = true;
  effects_.AddDirect(graph_.Choices(done.from)[done.action].kind, *after - *before);
}

std::int64_t Search::Reserve() const {
  const auto depth = static_cast<std::int64_t>(Depth(evaluator_.best()));
  return std::min(options_.max_evaluations / kMaxReserveShare, depth);
}

bool Search::Done() const {
  return num_steps_ >= options_.max_evaluations * kStepsPerEvaluation || evaluator_.Done(Reserve());
}

std::optional<Cost> Search::CostOf(StateId state) const {
  const std::optional<Evaluation> known = evaluator_.Known(state);
  if (!known || known->verdict == Verdict::kTooManyMacs) return std::nullopt;
  return known->cost;
}

bool Search::IsClosed(StateId state) const {
  const std::optional<Evaluation> known = evaluator_.Known(state);
  return known && known->verdict == Verdict::kTooManyMacs;
}

std::optional<double> Search::Gain(StateId state) const {
  const std::optional<Evaluation> known = evaluator_.Known(state);
  if (!known || known->verdict == Verdict::kTooManyMacs) return std::nullopt;
  const Cost start = evaluator_.Known(kStart)->cost;
  const auto part = [](double before, double after) {
    return before > 0 ? (before - after) / before : 0;
  };
  const double of_peak =
      part(static_cast<double>(start.peak_bytes), static_cast<double>(known->cost.peak_bytes));
  // A bound has no norm of its own: it is taken to fall with the peak.
  const double of_norm = known->verdict == Verdict::kBeyondBound
                             ? of_peak
                             : part(start.norm_bytes, known->cost.norm_bytes);
  return of_peak + kNormWeight * of_norm;
}

double Search::BestGain() const { return *Gain(evaluator_.best()); }

std::vector<Trial> Search::PathTo(StateId state) const {
  std::vector<Trial> path;
  while (reached_[state.index()]->parent.valid()) {
    const Reached& reached = *reached_[state.index()];
    path.push_back(trials_[*reached_[reached.parent.index()]->trials[reached.action]]);
    state = reached.parent;
  }
  std::ranges::reverse(path);
  return path;
}

}  // namespace opass::orchestrator
