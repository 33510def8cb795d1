#pragma once

#include <string>

#include "onnx/onnx_pb.h"
#include "opass/ir/graph.h"
#include "opass/support/result.h"

namespace opass::onnxlib {

// A message that nobody has checked becomes a model: opsets, local functions, graph, names, then
// ONNX's checker. `where` names the file in errors; external data is looked for in `folder` (empty:
// there is none). Takes the weights out of the message.
Result<ir::Model> ModelFromProto(::onnx::ModelProto& proto, const std::string& where,
                                 const std::string& folder);

}  // namespace opass::onnxlib
