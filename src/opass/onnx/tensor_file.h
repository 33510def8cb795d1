#pragma once

#include <string>

#include "opass/ir/tensor.h"
#include "opass/support/result.h"

namespace opass::onnxlib {

// A file that holds one serialized TensorProto, such as the test data of ONNX (input_0.pb).
// External data is looked for beside the file. Errors are kInvalidInput and name the file.
Result<ir::TensorPtr> ReadTensorFile(const std::string& path);

}  // namespace opass::onnxlib
