#include "opass/orchestrator/found.h"

#include <algorithm>
#include <map>

#include "opass/orchestrator/undo.h"

namespace opass::orchestrator {
namespace {

// From the best to the worst that can be said of an action.
int Rank(Outcome outcome) {
  switch (outcome) {
    case Outcome::kBest:
      return 0;
    case Outcome::kNotBetter:
      return 1;
    case Outcome::kBeyondBound:
      return 2;
    case Outcome::kTooManyMacs:
      return 3;
    case Outcome::kNotEvaluated:
      return 4;
    case Outcome::kOutOfBudget:
      return 5;
    case Outcome::kNoChange:
      return 6;
  }
  return 7;
}

std::vector<std::string> Enabled(const Search& search, const Trial& step) {
  const TransferGraph& graph = search.graph();
  const std::vector<KindId> appeared = graph.Appeared(step.from, step.to);
  std::vector<std::string> passes;
  const std::span<const Choice> choices = graph.Choices(step.to);
  for (std::size_t i = 0; i < choices.size(); ++i) {
    if (!std::ranges::binary_search(appeared, choices[i].kind)) continue;
    const std::string& pass = search.Actions(step.to)[i].pass;
    if (std::ranges::find(passes, pass) == passes.end()) passes.push_back(pass);
  }
  return passes;
}

FoundStep Describe(const Search& search, const Trial& step) {
  const Action& action = search.Actions(step.from)[step.action];
  return {action.name,          action.pass, step.from,
          step.action,          step.to,     search.CostOf(step.to),
          Enabled(search, step)};
}

std::vector<Attempt> Attempts(const Search& search, const std::vector<FoundStep>& path) {
  std::vector<Attempt> attempts;
  std::map<std::string, std::size_t> position;
  for (const Trial& trial : search.trials()) {
    const Action& action = search.Actions(trial.from)[trial.action];
    const auto [entry, is_new] = position.emplace(action.name, attempts.size());
    if (is_new) attempts.push_back({action.name, action.pass, 0, trial.outcome, {}, false});
    Attempt& attempt = attempts[entry->second];
    ++attempt.num_trials;
    if (Rank(trial.outcome) < Rank(attempt.outcome)) attempt.outcome = trial.outcome;
    const std::optional<Cost> before = search.CostOf(trial.from);
    const std::optional<Cost> after =
        trial.to.valid() ? search.CostOf(trial.to) : std::optional<Cost>();
    if (!before || !after) continue;
    const std::int64_t gained = before->peak_bytes - after->peak_bytes;
    attempt.gained_bytes = std::max(attempt.gained_bytes.value_or(gained), gained);
  }
  for (const FoundStep& step : path) {
    const auto entry = position.find(step.name);
    if (entry != position.end()) attempts[entry->second].is_in_result = true;
  }
  return attempts;
}

}  // namespace

std::string_view Name(Outcome outcome) {
  switch (outcome) {
    case Outcome::kBest:
      return "best so far";
    case Outcome::kNotBetter:
      return "not better";
    case Outcome::kNoChange:
      return "no change";
    case Outcome::kBeyondBound:
      return "cannot be better";
    case Outcome::kTooManyMacs:
      return "too many MACs";
    case Outcome::kOutOfBudget:
      return "out of budget";
    case Outcome::kNotEvaluated:
      return "not evaluated alone";
  }
  return "";
}

Result<Found> Conclude(Search& search, StoppedBy stopped_by) {
  std::vector<Trial> path = search.PathTo(search.evaluator().best());
  if (stopped_by == StoppedBy::kNobody) {
    OPASS_ASSIGN_OR_RETURN(path, WithoutUseless(search, std::move(path)));
  }
  Found found;
  found.stopped_by = stopped_by;
  found.state = path.empty() ? kStart : path.back().to;
  OPASS_ASSIGN_OR_RETURN(found.start, search.evaluator().EvaluateFully(kStart));
  OPASS_ASSIGN_OR_RETURN(found.cost, search.evaluator().EvaluateFully(found.state));
  if (found.start < found.cost) {
    // Judged at full effort the input is the better one.
    found.state = kStart;
    found.cost = found.start;
  } else {
    for (const Trial& step : path) {
      OPASS_RETURN_IF_ERROR(search.Open(step.to));
      found.path.push_back(Describe(search, step));
    }
  }
  found.attempts = Attempts(search, found.path);
  found.counts = search.evaluator().counts();
  return found;
}

}  // namespace opass::orchestrator
