#include "opass/orchestrator/evaluator.h"

#include <algorithm>

#include "opass/support/interrupt.h"

namespace opass::orchestrator {

Evaluator::Evaluator(PassDomain& domain, const SearchOptions& options)
    : domain_(domain), options_(options) {}

bool Evaluator::Done(std::int64_t reserve) const {
  return counts_.evaluations >= options_.max_evaluations - reserve || Interrupted();
}

std::optional<Evaluation> Evaluator::Known(StateId state) const {
  return state.index() < known_.size() ? known_[state.index()] : std::nullopt;
}

void Evaluator::Remember(StateId state, const Evaluation& evaluation) {
  if (known_.size() <= state.index()) known_.resize(state.index() + 1);
  known_[state.index()] = evaluation;
}

Result<Cost> Evaluator::Ask(StateId state, Effort effort) {
  OPASS_ASSIGN_OR_RETURN(Cost cost, domain_.Evaluate(state, effort));
  if (!options_.norm) cost.norm_bytes = 0;
  if (effort == Effort::kFull) {
    if (is_full_.size() <= state.index()) is_full_.resize(state.index() + 1);
    is_full_[state.index()] = true;
  }
  return cost;
}

// A peak at its bound cannot fall; one that stays above the best even when the quick schedule is
// as poor as the poorest seen is not worth a better schedule.
bool Evaluator::DeservesFull(const Cost& quick, const Bound& bound) const {
  if (quick.peak_bytes <= bound.peak_bytes) return false;
  return !best_.valid() || static_cast<double>(quick.peak_bytes) <
                               static_cast<double>(best_cost_.peak_bytes) * worst_quick_ratio_;
}

Result<Cost> Evaluator::Schedule(StateId state, const Bound& bound) {
  ++counts_.evaluations;
  if (!options_.staging) return Ask(state, Effort::kFull);
  OPASS_ASSIGN_OR_RETURN(const Cost quick, Ask(state, Effort::kQuick));
  if (!DeservesFull(quick, bound)) return quick;
  ++counts_.full_schedules;
  OPASS_ASSIGN_OR_RETURN(const Cost full, Ask(state, Effort::kFull));
  if (full.peak_bytes > 0) {
    worst_quick_ratio_ = std::max(worst_quick_ratio_, static_cast<double>(quick.peak_bytes) /
                                                          static_cast<double>(full.peak_bytes));
  }
  return std::min(full, quick);
}

Result<Evaluation> Evaluator::Evaluate(StateId state) {
  if (const std::optional<Evaluation> known = Known(state)) {
    ++counts_.repeats;
    return *known;
  }
  Evaluation evaluation;
  OPASS_ASSIGN_OR_RETURN(const Bound bound, domain_.LowerBound(state));
  if (best_.valid() && options_.max_extra_macs && bound.extra_macs > *options_.max_extra_macs) {
    ++counts_.too_many_macs;
    evaluation.verdict = Verdict::kTooManyMacs;
  } else if (best_.valid() && options_.staging && bound.peak_bytes > best_cost_.peak_bytes) {
    ++counts_.beyond_bound;
    evaluation.verdict = Verdict::kBeyondBound;
    evaluation.cost.peak_bytes = bound.peak_bytes;
    evaluation.cost.norm_bytes = options_.norm ? static_cast<double>(bound.peak_bytes) : 0;
    evaluation.cost.extra_macs = bound.extra_macs;
  } else if (best_.valid() && Done()) {
    return evaluation;
  } else {
    OPASS_ASSIGN_OR_RETURN(evaluation.cost, Schedule(state, bound));
    evaluation.verdict = Verdict::kScheduled;
    if (!best_.valid() || evaluation.cost < best_cost_) {
      best_ = state;
      best_cost_ = evaluation.cost;
    }
    if (options_.on_evaluation) options_.on_evaluation(counts_.evaluations, best_cost_);
  }
  Remember(state, evaluation);
  return evaluation;
}

Result<Cost> Evaluator::EvaluateFully(StateId state) {
  const std::optional<Evaluation> known = Known(state);
  if (known && state.index() < is_full_.size() && is_full_[state.index()]) return known->cost;
  OPASS_ASSIGN_OR_RETURN(Cost cost, Ask(state, Effort::kFull));
  if (known && known->verdict == Verdict::kScheduled) cost = std::min(cost, known->cost);
  Remember(state, {Verdict::kScheduled, cost});
  if (!best_.valid() || state == best_ || cost < best_cost_) {
    best_ = state;
    best_cost_ = cost;
  }
  return cost;
}

}  // namespace opass::orchestrator
