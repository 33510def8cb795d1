#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "opass/orchestrator/effects.h"
#include "opass/orchestrator/evaluator.h"
#include "opass/orchestrator/pass_domain.h"
#include "opass/orchestrator/transfer_graph.h"

namespace opass::orchestrator {

// A search that evaluates nothing any more (repeats, no change, bounds) ends after so many trials.
inline constexpr std::int64_t kStepsPerEvaluation = 10;

enum class Outcome {
  kBest,       // the best state so far
  kNotBetter,  // scheduled or met again: not better than the best
  kNoChange,
  kBeyondBound,  // cannot beat the best: not scheduled
  kTooManyMacs,
  kOutOfBudget,   // not scheduled
  kNotEvaluated,  // passed through
};

// One trial of an action.
struct Trial {
  StateId from;
  std::size_t action = 0;  // in Actions(from)
  StateId to;              // not valid: no change
  Outcome outcome = Outcome::kNoChange;
};

// What all strategies share: states and what is known of them, trials, the best so far.
class Search {
 public:
  Search(PassDomain& domain, const SearchOptions& options);

  Status Begin();  // evaluates the start

  // Lists the actions of a state that was reached. Costs as much as a schedule in some domains, so
  // that it is done for states that are looked at only.
  Status Open(StateId state);
  // Of an open state. The list stays where it is.
  std::span<const Action> Actions(StateId state) const;

  // Applies the action and evaluates where it leads; what is scheduled is open then. What was tried
  // before costs nothing and has the same outcome as far as the budget allowed one.
  Result<Trial> Try(StateId from, std::size_t action);
  // Applies the action without evaluating where it leads.
  Result<Trial> Walk(StateId from, std::size_t action);

  // The budget is used up but for what undoing needs at the end, or the user or a deadline says so.
  bool Done() const;

  // How much less than the start's: peak as a fraction of the start's peak, plus a little of the
  // p-norm. Of a state that cannot beat the best: at most so much. Nothing of a state without cost.
  std::optional<double> Gain(StateId state) const;
  double BestGain() const;
  std::optional<Cost> CostOf(StateId state) const;
  // States that cost too much to be a result lead nowhere.
  bool IsClosed(StateId state) const;

  // The shortest known way from the start.
  std::vector<Trial> PathTo(StateId state) const;
  std::size_t Depth(StateId state) const;

  const SearchOptions& options() const { return options_; }
  PassDomain& domain() { return domain_; }
  Evaluator& evaluator() { return evaluator_; }
  const Evaluator& evaluator() const { return evaluator_; }
  const TransferGraph& graph() const { return graph_; }
  Effects& effects() { return effects_; }
  std::span<const Trial> trials() const { return trials_; }  // in order; repeated ones once

 private:
  struct Reached {
    bool is_open = false;
    std::vector<Action> actions;
    std::vector<std::optional<std::size_t>> trials;  // by action: in trials_
    StateId parent;                                  // not valid: the start
    std::size_t action = 0;                          // of the parent, that led here
    std::size_t depth = 0;
  };

  void Reach(StateId state, StateId parent, std::size_t action);
  Result<std::size_t> WalkTrial(StateId from, std::size_t action);
  Result<Outcome> Evaluate(StateId state);
  void LearnDirect(std::size_t trial);
  std::int64_t Reserve() const;

  PassDomain& domain_;
  const SearchOptions& options_;
  Evaluator evaluator_;
  TransferGraph graph_;
  Effects effects_;
  std::vector<std::optional<Reached>> reached_;  // by state
  std::vector<Trial> trials_;
  std::vector<bool> is_learnt_;  // by trial: its direct effect is known
  std::int64_t num_steps_ = 0;
};

}  // namespace opass::orchestrator
