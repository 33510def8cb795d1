#pragma once

#include <string>

#include "onnx/onnx_pb.h"
#include "opass/ir/tensor.h"
#include "opass/onnx/external_files.h"
#include "opass/support/result.h"

namespace opass::onnxlib {

// Is the node an ONNX Constant?
bool IsConstantNode(const ::onnx::NodeProto& node);

// The tensor of a Constant node, whichever of its attributes holds it.
Result<ir::TensorPtr> TakeConstant(::onnx::NodeProto& node, ExternalFiles& files,
                                   const std::string& where);

}  // namespace opass::onnxlib
