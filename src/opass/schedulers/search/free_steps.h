#pragma once

#include <cstddef>
#include <cstdint>

#include "opass/schedulers/search/step_state.h"

namespace opass::schedulers {

// A step is free when it leaves no more bytes live than before it and stays within the budget.
// Whatever the rest of the order, taking it now costs nothing (design "scheduling", rule R1: live
// bytes are submodular in the set of taken operators).

// Takes free steps as long as there are any among the `max_looked` operators that became ready
// last. Returns how many it looked at, in all.
std::uint64_t TakeFreeSteps(StepState& state, std::int64_t budget_bytes, std::size_t max_looked);

// Takes the free steps that taking the last operator of the path has opened: operators that became
// ready, and readers of what it read, one step leading to the next; `max_steps` at most. Misses
// those that only a higher budget opens; costs no look at all ready operators.
void TakeOpenedSteps(StepState& state, std::int64_t budget_bytes, std::size_t max_steps);

}  // namespace opass::schedulers
