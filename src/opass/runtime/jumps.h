#pragma once

#include <cstdint>
#include <vector>

#include "opass/ir/graph.h"

namespace opass::runtime {

// How a value depends on rounding before it.
enum class Continuity : std::uint8_t {
  kSmooth,  // a little changes it a little
  kJumps,   // computed from floats by ArgMax, Round, Equal, a Cast to integers...: it may flip
  kBehind,  // depends on a value that may flip: by any amount
};

// By ir::ValueId of the main graph.
std::vector<Continuity> FindJumps(const ir::Graph& graph);

}  // namespace opass::runtime
