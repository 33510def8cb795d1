#pragma once

#include "opass/ir/graph.h"
#include "opass/support/result.h"

namespace opass::onnxlib {

// The model in another version of ONNX's own operator set, by ONNX's version converter; other
// domains keep theirs. Weights are shared with the input, never copied. An operator that the
// converter has no way for is an error (reason "version-conversion").
Result<ir::Model> ConvertVersion(const ir::Model& model, int opset);

}  // namespace opass::onnxlib
