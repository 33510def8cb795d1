#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "opass/orchestrator/pass_domain.h"
#include "opass/support/result.h"

namespace opass::orchestrator {

struct SearchOptions {
  // States to schedule, the start among them; the start is scheduled in any case.
  std::int64_t max_evaluations = 100;
  std::uint64_t seed = 0;
  std::optional<std::int64_t> max_extra_macs;  // what costs more is no result

  // For measuring what each idea is worth.
  bool implicit_effects = true;  // an action is worth what it enables, too
  bool norm = true;              // equal peaks are told apart by the p-norm
  bool staging = true;           // lower bound, quick schedule, full schedule; else always full

  // Ctrl-C ends the search alone: what is done with its result goes on (TakeInterrupt).
  bool take_interrupt = false;

  // Called after an evaluation; may be empty.
  std::function<void(std::int64_t evaluations, const Cost& best)> on_evaluation;
};

// Work done. Only `evaluations` is bounded by the budget, and with it the rest (kStepsPerEvaluation
// in search.h).
struct Counts {
  std::int64_t evaluations = 0;     // new states that were scheduled
  std::int64_t full_schedules = 0;  // of these, scheduled a second time at full effort
  std::int64_t beyond_bound = 0;    // new states that cannot beat the best: not scheduled
  std::int64_t too_many_macs = 0;   // new states: not scheduled
  std::int64_t repeats = 0;         // states met again
  std::int64_t no_changes = 0;      // actions that changed nothing
};

enum class Verdict {
  kScheduled,
  kBeyondBound,  // its bound is above the best peak: the cost is the bound's
  kTooManyMacs,  // no cost
  kOutOfBudget,  // no cost
};

struct Evaluation {
  Verdict verdict = Verdict::kOutOfBudget;
  Cost cost;
};

// Costs of states: each is found out once, in stages, within the budget.
class Evaluator {
 public:
  Evaluator(PassDomain& domain, const SearchOptions& options);

  // kOutOfBudget is not remembered; every other answer holds for good, as the best only falls.
  Result<Evaluation> Evaluate(StateId state);
  // What is known of the state; nothing when it was never evaluated.
  std::optional<Evaluation> Known(StateId state) const;
  // The cost of the full schedule, whatever the budget says: for the result.
  Result<Cost> EvaluateFully(StateId state);

  // No further state can be scheduled: the budget less `reserve` is used up, or Interrupted().
  bool Done(std::int64_t reserve = 0) const;
  // The least cost so far. Of equal costs the first.
  StateId best() const { return best_; }
  const Cost& best_cost() const { return best_cost_; }
  const Counts& counts() const { return counts_; }
  Counts& counts() { return counts_; }

 private:
  Result<Cost> Schedule(StateId state, const Bound& bound);
  bool DeservesFull(const Cost& quick, const Bound& bound) const;
  Result<Cost> Ask(StateId state, Effort effort);
  void Remember(StateId state, const Evaluation& evaluation);

  PassDomain& domain_;
  const SearchOptions& options_;
  std::vector<std::optional<Evaluation>> known_;  // by state
  std::vector<bool> is_full_;                     // by state
  StateId best_;
  Cost best_cost_;
  // The most that a quick peak was above the full one: how far a quick peak can be trusted.
  double worst_quick_ratio_ = 1;
  Counts counts_;
};

}  // namespace opass::orchestrator
