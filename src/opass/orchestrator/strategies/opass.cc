// Orchestration by what actions save and by what they enable: from the start down the transfer
// graph, always along the action with the largest expected effect plus a bonus for what was tried
// little, until an action that was not tried (docs/orchestration.md has the formula and sources).
#include "opass/orchestrator/strategies/explorer.h"
#include "opass/orchestrator/strategies/strategy.h"
#include "opass/orchestrator/strategies/walks.h"

namespace opass::orchestrator {
namespace {

// Whether the end of a walk is worth going on from: its peak is no higher.
bool Keeps(const Search& search, StateId before, StateId after) {
  const std::optional<Cost> cost = search.CostOf(after);
  return cost && cost->peak_bytes <= search.CostOf(before)->peak_bytes;
}

// The passes in their default order, each with all it can do, less those that make it worse: what
// gains nothing may be what a later one needs.
Result<bool> FollowKeepingOrder(Search& search) {
  StateId state = kStart;
  bool kept_all = true;
  for (const std::string& pass : search.domain().DefaultOrder()) {
    OPASS_ASSIGN_OR_RETURN(const WalkEnd end, WalkPass(search, state, pass));
    if (!end.last || search.Done()) continue;
    OPASS_RETURN_IF_ERROR(EvaluateEnd(search, end));
    if (Keeps(search, state, end.state)) {
      state = end.state;
    } else {
      kept_all = false;
    }
  }
  return kept_all;
}

Status Run(Search& search) {
  OPASS_ASSIGN_OR_RETURN(const bool kept_all, FollowKeepingOrder(search));
  if (!kept_all) {
    WalkEnd end{kStart, {}};
    for (const std::string& pass : search.domain().DefaultOrder()) {
      OPASS_ASSIGN_OR_RETURN(const WalkEnd next, WalkPass(search, end.state, pass));
      if (next.last) end = next;
    }
    OPASS_RETURN_IF_ERROR(EvaluateEnd(search, end));
  }
  Explorer explorer(search);
  return explorer.Run();
}

}  // namespace

extern const Strategy strategy_opass;
const Strategy strategy_opass = {
    .name = "opass",
    .summary = "by what actions save and by what they enable, learnt on the way",
    .run = Run,
};

}  // namespace opass::orchestrator
