#pragma once

#include <string>

#include "opass/ir/graph.h"
#include "opass/support/result.h"

namespace opass::onnxlib {

// Refuses ranks above 1024 and axes beyond them, subgraphs included: `axis` attributes of ONNX's
// operators outside [-1024, 1024), and declared lists of axes, starts or pads of more than
// 1,000,000 entries. ONNX's shape inference (1.23.2) copies a rank from node to node, narrows an
// axis to int and allocates for a list (guarded_schemas.h: for lists it infers as well).
Status CheckAxes(const ir::Graph& graph, const std::string& where);

}  // namespace opass::onnxlib
