#pragma once

#include <string>
#include <string_view>

#include "opass/ir/graph.h"
#include "opass/support/result.h"

namespace opass::onnxlib {

// Runs ONNX's checker over a skeleton of the model (no weights are copied): operators against
// their schemas, attributes, opset imports.
Status CheckModel(const ir::Model& model, const std::string& where);

// A message of the ONNX library as one line.
std::string OneLine(std::string_view text);

}  // namespace opass::onnxlib
