#include "opass/onnx/attributes.h"

#include "opass/onnx/tensors.h"

namespace opass::onnxlib {

using ::onnx::AttributeProto;

AttributeProto::AttributeType TypeOf(const AttributeProto& proto) {
  if (proto.type() != AttributeProto::UNDEFINED) return proto.type();
  if (proto.has_f()) return AttributeProto::FLOAT;
  if (proto.has_i()) return AttributeProto::INT;
  if (proto.has_s()) return AttributeProto::STRING;
  if (proto.has_t()) return AttributeProto::TENSOR;
  if (proto.has_g()) return AttributeProto::GRAPH;
  if (proto.floats_size() > 0) return AttributeProto::FLOATS;
  if (proto.ints_size() > 0) return AttributeProto::INTS;
  if (proto.strings_size() > 0) return AttributeProto::STRINGS;
  return AttributeProto::UNDEFINED;
}

Result<ir::Attribute> TakeAttribute(AttributeProto& proto, ExternalFiles& files,
                                    const std::string& where) {
  const auto bad = [&](const char* message) {
    return WithReason(InvalidInput(message, where), "bad-node");
  };
  if (proto.name().empty()) return bad("an attribute has no name");
  if (!proto.ref_attr_name().empty()) return bad("refers to an attribute of a function");
  ir::Attribute attribute{proto.name(), std::int64_t{0}};
  switch (TypeOf(proto)) {
    case AttributeProto::FLOAT:
      attribute.value = proto.f();
      return attribute;
    case AttributeProto::INT:
      attribute.value = static_cast<std::int64_t>(proto.i());
      return attribute;
    case AttributeProto::STRING:
      attribute.value = std::move(*proto.mutable_s());
      return attribute;
    case AttributeProto::TENSOR: {
      OPASS_ASSIGN_OR_RETURN(attribute.value, TakeTensor(*proto.mutable_t(), files, where));
      return attribute;
    }
    case AttributeProto::FLOATS:
      attribute.value = std::vector<float>(proto.floats().begin(), proto.floats().end());
      return attribute;
    case AttributeProto::INTS:
      attribute.value = std::vector<std::int64_t>(proto.ints().begin(), proto.ints().end());
      return attribute;
    case AttributeProto::STRINGS:
      attribute.value = std::vector<std::string>(proto.strings().begin(), proto.strings().end());
      return attribute;
    case AttributeProto::SPARSE_TENSOR:
    case AttributeProto::TENSORS:
    case AttributeProto::SPARSE_TENSORS:
    case AttributeProto::TYPE_PROTO:
    case AttributeProto::TYPE_PROTOS:
      attribute.value = ir::OpaqueAttribute{proto.SerializeAsString()};
      return attribute;
    default:
      // Lists of graphs: no operator has one, and their captures would go unseen.
      return bad("the type of the attribute is missing or not supported");
  }
}

}  // namespace opass::onnxlib
