#pragma once

#include <string>

#include "onnx/onnx_pb.h"
#include "opass/ir/tensor.h"
#include "opass/onnx/external_files.h"
#include "opass/support/result.h"

namespace opass::onnxlib {

// Checks a tensor's type, dimensions and length, and takes its bytes: raw data is moved out of the
// proto, typed fields are packed little-endian, external data is mapped. `where` names the tensor.
Result<ir::TensorPtr> TakeTensor(::onnx::TensorProto& proto, ExternalFiles& files,
                                 const std::string& where);

// The dense form of a sparse tensor (at most kMaxDenseBytes).
inline constexpr std::int64_t kMaxDenseBytes = std::int64_t{1} << 30;
Result<ir::TensorPtr> TakeSparseTensor(::onnx::SparseTensorProto& proto, ExternalFiles& files,
                                       const std::string& where);

// Everything but raw bytes: type, dimensions, strings.
::onnx::TensorProto TensorHeader(const ir::Tensor& tensor);
// The same with a copy of the bytes.
::onnx::TensorProto TensorToProto(const ir::Tensor& tensor);

}  // namespace opass::onnxlib
