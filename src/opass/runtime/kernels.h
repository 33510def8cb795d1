#pragma once

#include <cstdint>

#include "opass/ir/graph.h"
#include "opass/support/result.h"

namespace opass::runtime {

// Whether ONNX Runtime has a kernel for every operator of the model at its operator set. Weights
// are not looked at. Error: no library.
Result<bool> HasKernels(const ir::Model& model);

// The model at the lowest operator set, its own or a later one, at which the runtime has all
// kernels; unchanged when none has (or the converter knows no way). Below opset 7 ONNX Runtime
// promises nothing, so such a model is always raised. Error: no library.
Result<ir::Model> RaiseToKernels(ir::Model model);

}  // namespace opass::runtime
