#pragma once

#include <cstddef>
#include <vector>

#include "opass/ir/graph.h"

namespace opass::ops {

// Positions of the inputs whose bytes the first output may overwrite while the node runs, preferred
// first. Empty when there is none or a type is not static. The element widths are equal, so the
// sizes are too.
//
// Only operators whose every output element depends on no other element of that input, or that work
// row by row and read a row before they write it. Each row of the table was run against its
// out-of-place form (runtime/in_place_test.cc); what is not in it is never done in place.
std::vector<std::size_t> InPlaceInputs(const ir::Graph& graph, const ir::Node& node);

}  // namespace opass::ops
