#pragma once

#include <vector>

#include "opass/orchestrator/search.h"

namespace opass::orchestrator {

// Leaves out, from the last to the first, each action of the path that did not pay: the rest is
// applied again, by name or else by kind, and the shorter path is kept if its cost is no larger.
// Needs an evaluation for each new state, within what is left of the budget.
Result<std::vector<Trial>> WithoutUseless(Search& search, std::vector<Trial> path);

}  // namespace opass::orchestrator
