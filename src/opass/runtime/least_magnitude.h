#pragma once

#include "opass/ir/graph.h"

namespace opass::runtime {

// 1 for what a function between -1 and 1 computes, 0 otherwise. Operators that only move elements
// are looked through.
double LeastMagnitude(const ir::Graph& graph, ir::ValueId value);

}  // namespace opass::runtime
