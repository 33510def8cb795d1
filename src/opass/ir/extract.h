#pragma once

#include <span>

#include "opass/ir/graph.h"

namespace opass::ir {

// A model of just `nodes` (of the main graph, in the order given) that computes `outputs`. Values
// that the nodes read but do not compute become graph inputs with their types, or stay
// initializers; so do the values that their subgraphs capture. Names stay what they were; ids do
// not. The IR version is at least 4, so that initializers need not be inputs.
Model Extract(const Model& model, std::span<const NodeId> nodes, std::span<const ValueId> outputs);

}  // namespace opass::ir
