#include "opass/onnx/text.h"

#include <algorithm>
#include <exception>
#include <sstream>
#include <string>
#include <unordered_set>

#include "onnx/defs/parser.h"
#include "onnx/defs/printer.h"
#include "opass/onnx/check.h"
#include "opass/onnx/from_proto.h"
#include "opass/onnx/to_proto.h"

namespace opass::onnxlib {
namespace {

constexpr std::int64_t kDefaultIrVersion = 10;
constexpr std::int64_t kDefaultOpset = 21;

bool HasElementSyntax(ir::DataType type) {
  const int bits = ir::BitWidth(type);
  return bits == 0 ||
         (bits >= 8 && type != ir::DataType::kComplex64 && type != ir::DataType::kComplex128);
}

void ForgetInnerTypes(::onnx::GraphProto& graph) {
  // What is left declares elided constants.
  std::unordered_set<std::string> produced;
  for (auto& node : *graph.mutable_node()) {
    produced.insert(node.output().begin(), node.output().end());
    for (auto& attribute : *node.mutable_attribute()) {
      if (attribute.has_g()) ForgetInnerTypes(*attribute.mutable_g());
    }
  }
  auto* infos = graph.mutable_value_info();
  infos->erase(std::remove_if(infos->begin(), infos->end(),
                              [&](const auto& info) { return produced.contains(info.name()); }),
               infos->end());
}

}  // namespace

Result<ir::Model> ParseText(std::string_view text) {
  constexpr const char* kWhere = "text";
  ::onnx::ModelProto proto;
  try {
    const auto status = ::onnx::OnnxParser::Parse(proto, text);
    if (!status.IsOK()) {
      return WithReason(InvalidInput(OneLine(status.ErrorMessage()), kWhere), "malformed-file");
    }
    if (!proto.has_ir_version()) proto.set_ir_version(kDefaultIrVersion);
    if (proto.opset_import().empty()) proto.add_opset_import()->set_version(kDefaultOpset);
    return ModelFromProto(proto, kWhere, "");
  } catch (const std::exception& exception) {
    return WithReason(InvalidInput(OneLine(exception.what()), kWhere), "malformed-file");
  }
}

std::string PrintText(const ir::Model& model, const TextOptions& options) {
  ::onnx::ModelProto proto = ModelToProto(model, [&](const ir::Tensor& tensor, bool) -> Placement {
    const bool print = HasElementSyntax(tensor.type) &&
                       (options.max_elements < 0 || tensor.num_elements() <= options.max_elements);
    return {print ? Placement::Kind::kEmbed : Placement::Kind::kDeclare, {}};
  });
  if (!options.value_types) ForgetInnerTypes(*proto.mutable_graph());
  return ::onnx::ProtoToString(proto);
}

}  // namespace opass::onnxlib
