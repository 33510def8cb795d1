#pragma once

#include <vector>

#include "opass/memory/plan.h"
#include "opass/memory/problem.h"

namespace opass::memory::testing {

std::vector<OpId> FileOrder(const Problem& problem);

// A right plan without any reuse but views and the takeovers that Evaluate chooses: every other
// buffer at an address of its own. No lower bound is claimed.
Plan SimplePlan(const Problem& problem, std::vector<OpId> order);
Plan SimplePlan(const Problem& problem);  // in file order

}  // namespace opass::memory::testing
