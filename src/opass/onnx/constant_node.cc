#include "opass/onnx/constant_node.h"

#include "opass/onnx/tensors.h"

namespace opass::onnxlib {
namespace {

ir::TensorPtr Strings(std::vector<std::int64_t> dims, std::vector<std::string> strings) {
  auto tensor = std::make_shared<ir::Tensor>();
  tensor->type = ir::DataType::kString;
  tensor->dims = std::move(dims);
  tensor->strings = std::move(strings);
  return tensor;
}

}  // namespace

bool IsConstantNode(const ::onnx::NodeProto& node) {
  return node.op_type() == "Constant" && (node.domain().empty() || node.domain() == "ai.onnx");
}

Result<ir::TensorPtr> TakeConstant(::onnx::NodeProto& node, ExternalFiles& files,
                                   const std::string& where) {
  if (node.attribute_size() != 1 || node.output_size() != 1 || node.input_size() != 0 ||
      !node.attribute(0).ref_attr_name().empty()) {
    return WithReason(InvalidInput("a Constant needs one attribute and one output", where),
                      "bad-node");
  }
  ::onnx::AttributeProto& attribute = *node.mutable_attribute(0);
  const std::string& name = attribute.name();
  if (name == "value") return TakeTensor(*attribute.mutable_t(), files, where);
  if (name == "sparse_value") {
    return TakeSparseTensor(*attribute.mutable_sparse_tensor(), files, where);
  }
  if (name == "value_int") return ir::Tensor::FromInt64s({}, {attribute.i()});
  if (name == "value_float") return ir::Tensor::FromFloats({}, {attribute.f()});
  if (name == "value_string") return Strings({}, {attribute.s()});
  if (name == "value_ints") {
    return ir::Tensor::FromInt64s({attribute.ints_size()},
                                  {attribute.ints().begin(), attribute.ints().end()});
  }
  if (name == "value_floats") {
    return ir::Tensor::FromFloats({attribute.floats_size()},
                                  {attribute.floats().begin(), attribute.floats().end()});
  }
  if (name == "value_strings") {
    return Strings({attribute.strings_size()},
                   {attribute.strings().begin(), attribute.strings().end()});
  }
  return WithReason(InvalidInput("a Constant has the unknown attribute '" + name + "'", where),
                    "bad-node");
}

}  // namespace opass::onnxlib
