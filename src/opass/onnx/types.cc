#include "opass/onnx/types.h"

#include <fmt/format.h>

#include "opass/onnx/utf8.h"
#include "opass/support/bytes.h"

namespace opass::onnxlib {
namespace {

Result<ir::Dim> DimFromProto(const ::onnx::TensorShapeProto::Dimension& proto,
                             const std::string& where) {
  if (!proto.has_dim_value()) {
    if (IsUtf8(proto.dim_param())) return ir::Dim{-1, proto.dim_param()};
    return WithReason(InvalidInput("the name of a dimension is no UTF-8", where), "bad-name");
  }
  if (proto.dim_value() < -1 || proto.dim_value() > kMaxBytes) {
    return WithReason(
        InvalidInput(fmt::format("dimension {} is not possible", proto.dim_value()), where),
        "bad-tensor");
  }
  return ir::Dim{proto.dim_value(), ""};
}

}  // namespace

Result<ir::DataType> DataTypeFromProto(int number, const std::string& where) {
  if (number <= 0 || number > ir::kMaxDataType) {
    return WithReason(InvalidInput(fmt::format("element type {} is not known", number), where),
                      "unknown-element-type");
  }
  return static_cast<ir::DataType>(number);
}

Result<ir::Type> TypeFromProto(const ::onnx::TypeProto& proto, const std::string& where) {
  ir::Type type;
  if (proto.value_case() == ::onnx::TypeProto::VALUE_NOT_SET) return type;
  if (!proto.has_tensor_type()) {
    type.kind = ir::Type::Kind::kOther;
    type.other = std::make_shared<const std::string>(proto.SerializeAsString());
    return type;
  }
  type.kind = ir::Type::Kind::kTensor;
  OPASS_ASSIGN_OR_RETURN(type.elem, DataTypeFromProto(proto.tensor_type().elem_type(), where));
  if (!proto.tensor_type().has_shape()) return type;
  type.shape.emplace();
  for (const auto& dim : proto.tensor_type().shape().dim()) {
    OPASS_ASSIGN_OR_RETURN(ir::Dim read, DimFromProto(dim, where));
    type.shape->push_back(std::move(read));
  }
  return type;
}

::onnx::TypeProto TypeToProto(const ir::Type& type) {
  ::onnx::TypeProto proto;
  if (type.kind == ir::Type::Kind::kOther) {
    proto.ParseFromString(*type.other);
  } else if (type.kind == ir::Type::Kind::kTensor) {
    auto* tensor = proto.mutable_tensor_type();
    tensor->set_elem_type(static_cast<int>(type.elem));
    if (type.shape) {
      tensor->mutable_shape();
      for (const ir::Dim& dim : *type.shape) {
        auto* out = tensor->mutable_shape()->add_dim();
        if (dim.known()) {
          out->set_dim_value(dim.value);
        } else if (!dim.symbol.empty()) {
          out->set_dim_param(dim.symbol);
        }
      }
    }
  }
  return proto;
}

}  // namespace opass::onnxlib
