#include "opass/orchestrator/undo.h"

#include <algorithm>
#include <cstddef>
#include <optional>

namespace opass::orchestrator {
namespace {

// The action of `state` that is most like `wanted`: of the same name, or else the first of its
// kind.
std::optional<std::size_t> FindAction(const Search& search, StateId state, const Action& wanted) {
  const std::span<const Action> actions = search.Actions(state);
  auto found = std::ranges::find(actions, wanted.name, &Action::name);
  if (found == actions.end()) found = std::ranges::find(actions, wanted.kind, &Action::kind);
  if (found == actions.end()) return std::nullopt;
  return static_cast<std::size_t>(found - actions.begin());
}

// The path without the action at `omitted`; nothing when the rest cannot be applied any more.
Result<std::optional<std::vector<Trial>>> Replay(Search& search, const std::vector<Trial>& path,
                                                 std::size_t omitted) {
  std::vector<Trial> shorter(path.begin(), path.begin() + static_cast<std::ptrdiff_t>(omitted));
  StateId state = path[omitted].from;
  for (std::size_t i = omitted + 1; i < path.size(); ++i) {
    const Action wanted = search.Actions(path[i].from)[path[i].action];
    OPASS_RETURN_IF_ERROR(search.Open(state));
    const std::optional<std::size_t> action = FindAction(search, state, wanted);
    if (!action) return std::optional<std::vector<Trial>>();
    OPASS_ASSIGN_OR_RETURN(const Trial step, search.Walk(state, *action));
    if (!step.to.valid()) return std::optional<std::vector<Trial>>();
    shorter.push_back(step);
    state = step.to;
  }
  return std::optional(std::move(shorter));
}

}  // namespace

Result<std::vector<Trial>> WithoutUseless(Search& search, std::vector<Trial> path) {
  if (path.empty()) return path;
  std::optional<Cost> cost = search.CostOf(path.back().to);
  for (std::size_t i = path.size(); i-- > 0;) {
    OPASS_ASSIGN_OR_RETURN(std::optional<std::vector<Trial>> shorter, Replay(search, path, i));
    if (!shorter) continue;
    const StateId end = shorter->empty() ? kStart : shorter->back().to;
    OPASS_ASSIGN_OR_RETURN(const Evaluation evaluation, search.evaluator().Evaluate(end));
    if (evaluation.verdict != Verdict::kScheduled || evaluation.cost > *cost) continue;
    path = *std::move(shorter);
    cost = evaluation.cost;
  }
  return path;
}

}  // namespace opass::orchestrator
