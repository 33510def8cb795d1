#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "opass/schedulers/search/step_graph.h"
#include "opass/schedulers/search/step_state.h"

namespace opass::schedulers {

// The peak of a topological order (from the first step to the last).
std::int64_t PeakBytes(const StepGraph& graph, std::span<const memory::OpId> order);

// Builds an order from one end: all operators in the order of taking.
using DirectedScheduler = std::vector<memory::OpId> (*)(const StepGraph& graph,
                                                        Direction direction);

// Runs `scheduler` from both ends and returns the order of the lower peak, first step first; the
// forward one of equals. Neither end is the better one: growing a randomly wired net from its end
// finds far better orders, growing a training graph from its end far worse ones.
std::vector<memory::OpId> BetterOfBothWays(const StepGraph& graph, DirectedScheduler scheduler);

}  // namespace opass::schedulers
