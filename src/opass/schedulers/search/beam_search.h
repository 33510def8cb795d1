#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "opass/schedulers/search/step_graph.h"
#include "opass/schedulers/search/step_state.h"

namespace opass::schedulers {

struct BeamOptions {
  // No order has a lower peak (a proved bound): states below it are equal in peak, and steps that
  // stay below it cost nothing.
  std::int64_t floor_bytes = 0;
  // Only orders of a lower peak are wanted.
  std::int64_t ceiling_bytes = std::numeric_limits<std::int64_t>::max();
  int max_width = 32;
  // Operators tried; every number of taken operators gets an equal share of what is left, so that
  // the beam narrows on large and wide graphs. At least one state is always continued.
  std::uint64_t max_work = 4'000'000;
};

// Beam search from one end: for every number of operators taken, the best few states by peak, then
// by live bytes, each closed under free steps; states of equal sets (by fingerprint) are merged,
// the one of the lower peak kept. Returns all operators in the order of taking, or nothing when no
// state below the ceiling is left or it is interrupted.
std::optional<std::vector<memory::OpId>> BeamSearch(const StepGraph& graph, Direction direction,
                                                    const BeamOptions& options);

}  // namespace opass::schedulers
