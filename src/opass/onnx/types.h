#pragma once

#include <string>

#include "onnx/onnx_pb.h"
#include "opass/ir/type.h"
#include "opass/support/result.h"

namespace opass::onnxlib {

// TypeProto <-> ir::Type. Denotations are not kept. Errors name `where`: an element type opass does
// not know, a dimension below -1 (-1, which some exporters write, means unknown).
Result<ir::Type> TypeFromProto(const ::onnx::TypeProto& proto, const std::string& where);
::onnx::TypeProto TypeToProto(const ir::Type& type);

// ONNX's number of an element type, checked.
Result<ir::DataType> DataTypeFromProto(int number, const std::string& where);

}  // namespace opass::onnxlib
