#include "opass/orchestrator/strategies/walks.h"

#include <set>

namespace opass::orchestrator {
namespace {

// A pass that goes on for longer does not end by itself.
constexpr int kMaxSteps = 200;

Result<std::optional<Trial>> FirstChange(Search& search, StateId state, const std::string& pass,
                                         const std::set<StateId>& visited) {
  OPASS_RETURN_IF_ERROR(search.Open(state));
  for (std::size_t i = 0; i < search.Actions(state).size(); ++i) {
    if (search.Actions(state)[i].pass != pass) continue;
    OPASS_ASSIGN_OR_RETURN(const Trial trial, search.Walk(state, i));
    if (trial.to.valid() && !visited.contains(trial.to)) return std::optional(trial);
  }
  return std::optional<Trial>();
}

}  // namespace

Result<WalkEnd> WalkPass(Search& search, StateId from, const std::string& pass) {
  WalkEnd end{from, {}};
  std::set<StateId> visited = {from};
  for (int i = 0; i < kMaxSteps && !search.Done(); ++i) {
    OPASS_ASSIGN_OR_RETURN(const std::optional<Trial> step,
                           FirstChange(search, end.state, pass, visited));
    if (!step) break;
    end = {step->to, step};
    visited.insert(step->to);
  }
  return end;
}

Status EvaluateEnd(Search& search, const WalkEnd& end) {
  if (!end.last) return {};
  const Result<Trial> trial = search.Try(end.last->from, end.last->action);
  return trial.ok() ? Status() : Status(trial.error());
}

}  // namespace opass::orchestrator
