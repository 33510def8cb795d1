#pragma once

#include <string>

#include "onnx/onnx_pb.h"
#include "opass/ir/graph.h"
#include "opass/onnx/external_files.h"
#include "opass/support/result.h"

namespace opass::onnxlib {

// The type of an attribute; files of the first IR versions do not say it.
::onnx::AttributeProto::AttributeType TypeOf(const ::onnx::AttributeProto& proto);

// An attribute that is no graph. Tensors are taken out of the message.
Result<ir::Attribute> TakeAttribute(::onnx::AttributeProto& proto, ExternalFiles& files,
                                    const std::string& where);

}  // namespace opass::onnxlib
