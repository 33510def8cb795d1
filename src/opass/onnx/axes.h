#pragma once

#include <string>

#include "opass/ir/graph.h"
#include "opass/support/result.h"

namespace opass::onnxlib {

// Refuses axes beyond any tensor's rank, subgraphs included: `axis` attributes of ONNX's operators
// outside [-1024, 1024), and declared lists of axes, starts or pads of more than 1,000,000 entries.
// ONNX's shape inference (1.23.2) narrows the former to int and allocates for the latter.
Status CheckAxes(const ir::Graph& graph, const std::string& where);

}  // namespace opass::onnxlib
