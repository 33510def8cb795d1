#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "opass/schedulers/search/step_graph.h"
#include "opass/schedulers/search/step_state.h"

namespace opass::schedulers {

struct DominantOptions {
  Direction direction = Direction::kForward;
  // Groups of operators whose first steps are tried.
  std::uint64_t max_nodes = 100'000;
  // Operators and links looked at.
  std::uint64_t max_looks = 2'000'000'000;
  std::size_t max_memo_bytes = std::size_t{256} << 20;
};

struct Dominant {
  // A best order, the first step first; nothing when the work runs out.
  std::optional<std::vector<memory::OpId>> order;
  std::uint64_t nodes = 0;
  std::uint64_t looks = 0;
};

// A best order by parts that are independent: wherever the steps taken leave groups of operators
// that have nothing to do with each other, the best order of each is found apart, and their
// hill-valley segments are merged. In-trees (backwards) take polynomial time as in Liu (SIAM J.
// Alg. Disc. Meth. 1987), out-trees (forwards) with few children of each operator too (compare
// Jin et al., "New Tools for Peak Memory Scheduling", arXiv 2312.13526: each graph has an order
// that dominates all others). Otherwise exponential.
Dominant FindDominant(const StepGraph& graph, const DominantOptions& options);

}  // namespace opass::schedulers
