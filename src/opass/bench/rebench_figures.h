#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "opass/bench/rebench_part.h"
#include "opass/memory/problem.h"
#include "opass/support/result.h"

// What a graph needs, counted without reuse and as planned.
namespace opass::bench {

// Tensors of the Relay text, each once.
struct TextSums {
  std::int64_t sum_bytes = 0;  // parameters and results of operators
  std::int64_t parameter_bytes = 0;
  std::int64_t result_bytes = 0;  // each position of the graph's result
  // What no order and no rewriting goes below: parameters that lie there from the start count as
  // far as any operator of the rewritten graph reads them, so that a parameter read for its type
  // or shape alone may drop out.
  std::int64_t floor_bytes(memory::InputArrival inputs) const;
};

// One way to a plan.
struct Planned {
  std::int64_t peak_bytes = 0;
  std::int64_t arena_bytes = 0;
  std::int64_t bound_bytes = 0;
  bool proven = false;
  std::int64_t sum_bytes = 0;       // of all tensors of the final graph but constants
  std::int64_t shared_bytes = 0;    // the same, views and what is written in place not again
  std::int64_t constant_bytes = 0;  // of the final graph
  std::int64_t evaluations = 0;     // graphs that the search over passes scheduled
  double seconds = 0;               // of rewriting, searching and planning
};

// Which of the two halves of the optimizer may do something.
enum class Way : std::uint8_t { kFileOrder, kOrder, kPasses, kBoth };
inline constexpr std::array<Way, 4> kWays = {Way::kFileOrder, Way::kOrder, Way::kPasses,
                                             Way::kBoth};
std::string Name(Way way);

struct GraphFigures {
  std::string graph;
  std::size_t num_ops = 0;
  TextSums sums;
  std::array<Planned, kWays.size()> planned;  // by Way

  const Planned& of(Way way) const { return planned[static_cast<std::size_t>(way)]; }
  // How much less than the sum without reuse, in percent.
  double SavedPercent(Way way) const;
};

// One graph in some ways, at alignment 1, lossless, nothing executed. The file order comes with the
// order alone.
Result<GraphFigures> MeasureGraph(const RebenchSettings& settings, const std::string& graph,
                                  memory::InputArrival inputs, std::span<const Way> ways = kWays);

}  // namespace opass::bench
