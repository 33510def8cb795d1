#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "opass/schedulers/search/step_state.h"

namespace opass::schedulers {

// Completes `state`, one step after another: of the operators that became ready last it takes the
// one with the lowest peak so far, then the fewest bytes live after the free steps that it opens.
// `peak_bytes` is the peak of the steps taken before. Deterministic; about `max_looked` probes a
// step. When interrupted, completes without looking.
void CompleteGreedily(StepState& state, std::int64_t peak_bytes, std::size_t max_looked);

// All operators from one end, greedily; looks at fewer of them on large graphs. In order of taking.
std::vector<memory::OpId> GreedyOrder(const StepGraph& graph, Direction direction);

}  // namespace opass::schedulers
