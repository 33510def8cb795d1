#pragma once

#include "opass/ir/graph.h"

namespace opass::passes {

// May a copy of the node be computed again somewhere else? Deterministic operators without
// subgraphs that do next to no arithmetic: elementwise ones, those that move elements, pools and
// Resize. No convolution, no matrix product.
bool IsCheap(const ir::Node& node);

}  // namespace opass::passes
