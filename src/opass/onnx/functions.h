#pragma once

#include <string>

#include "onnx/onnx_pb.h"
#include "opass/support/result.h"

namespace opass::onnxlib {

// Replaces every call of a model-local function by its body. Errors: functions that call each
// other in a circle, bodies that ONNX's checker refuses, an opset that does not fit the model's,
// and calls that multiply beyond 1,000,000 nodes or 1 GiB.
Status InlineFunctions(::onnx::ModelProto& proto, const std::string& where);

}  // namespace opass::onnxlib
