#pragma once

#include <string>

#include "opass/ir/graph.h"
#include "opass/support/result.h"

namespace opass::onnxlib {

// Checks the equations of Einsum nodes, subgraphs included: operands of letters and at most one
// "..." each, spaces anywhere. ONNX's shape inference does not come to an end on any other
// character (1.23.2), so nothing may be inferred before this check.
Status CheckEinsum(const ir::Graph& graph, const std::string& where);

}  // namespace opass::onnxlib
