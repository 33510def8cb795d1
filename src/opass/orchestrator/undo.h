#pragma once

#include <vector>

#include "opass/orchestrator/search.h"

namespace opass::orchestrator {

// Whether the result `after` is to be preferred to `before`, which took one action more: no higher
// peak, then no more MACs, then no more nodes. The p-norm has done its work when the search ends.
bool IsNoWorse(const Cost& after, const Cost& before);

// Leaves out, from the last to the first, each action of the path that did not pay: the rest is
// applied again, by name or else by kind, and the shorter path is kept if it IsNoWorse. Needs an
// evaluation for each new state, within what is left of the budget.
Result<std::vector<Trial>> WithoutUseless(Search& search, std::vector<Trial> path);

}  // namespace opass::orchestrator
