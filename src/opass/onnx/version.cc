#include "opass/onnx/version.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <exception>
#include <string>
#include <string_view>
#include <unordered_map>

#include "onnx/version_converter/convert.h"
#include "opass/onnx/check.h"
#include "opass/onnx/from_proto.h"
#include "opass/onnx/schema.h"
#include "opass/onnx/to_proto.h"

namespace opass::onnxlib {
namespace {

Error CannotConvert(std::string message, std::string hint = "") {
  return WithReason(InvalidInput(std::move(message), "", std::move(hint)), "version-conversion");
}

// The converter's failed assertions begin with a file and a line of its source.
std::string Reason(const char* what) {
  const std::string line = OneLine(what);
  constexpr std::string_view kMark = "failed: ";
  const std::size_t mark = line.find(kMark);
  return mark == std::string::npos ? line : line.substr(mark + kMark.size());
}

// The skeleton's weights, which came back as inputs, become constants again.
void RestoreWeights(const Skeleton& skeleton, ir::Graph& graph) {
  std::unordered_map<std::string, ir::TensorPtr> weights;
  for (const auto& [name, tensor] : skeleton.weights) weights.emplace(name, tensor);
  std::erase_if(graph.inputs, [&](ir::ValueId id) {
    ir::Value& value = graph.value(id);
    const auto found = weights.find(value.name);
    if (found == weights.end()) return false;
    value.constant = found->second;
    return true;
  });
}

// An overridable initializer stays an input, so that what the converter makes of it is checked.
void RestoreOverridable(const ir::Graph& original, ir::Graph& graph) {
  std::unordered_map<std::string, const ir::Value*> overridable;
  for (const ir::ValueId id : original.inputs) {
    const ir::Value& value = original.value(id);
    if (value.overridable) overridable.emplace(value.name, &value);
  }
  if (overridable.empty()) return;
  for (std::size_t i = 0; i < graph.num_values(); ++i) {
    ir::Value& value = graph.value(ir::ValueId(i));
    const auto found = overridable.find(value.name);
    if (found == overridable.end() || value.producer.valid()) continue;
    value.constant = found->second->constant;
    value.overridable = true;
    if (!graph.IsInput(ir::ValueId(i))) graph.inputs.push_back(ir::ValueId(i));
  }
  std::unordered_map<std::string, std::size_t> position;
  for (const ir::ValueId id : original.inputs)
    position.emplace(original.value(id).name, position.size());
  std::ranges::stable_sort(graph.inputs, {}, [&](ir::ValueId id) {
    const auto found = position.find(graph.value(id).name);
    return found == position.end() ? SIZE_MAX : found->second;
  });
}

void RestoreNotes(const ir::Graph& original, ir::Graph& graph) {
  graph.doc_string = original.doc_string;
  graph.metadata = original.metadata;
  graph.quantization_annotations = original.quantization_annotations;
  std::unordered_map<std::string, const ir::Node*> nodes;
  for (const ir::NodeId id : original.order)
    nodes.emplace(original.node(id).name, &original.node(id));
  for (const ir::NodeId id : graph.order) {
    ir::Node& node = graph.node(id);
    const auto found = nodes.find(node.name);
    if (found == nodes.end()) continue;
    node.doc_string = found->second->doc_string;
    node.metadata = found->second->metadata;
  }
  std::unordered_map<std::string, const ir::Value*> values;
  for (std::size_t i = 0; i < original.num_values(); ++i) {
    const ir::Value& value = original.value(ir::ValueId(i));
    values.emplace(value.name, &value);
  }
  for (std::size_t i = 0; i < graph.num_values(); ++i) {
    ir::Value& value = graph.value(ir::ValueId(i));
    const auto found = values.find(value.name);
    if (found == values.end()) continue;
    value.doc_string = found->second->doc_string;
    value.metadata = found->second->metadata;
    const ir::Type& type = found->second->type;
    if (value.type.kind == ir::Type::Kind::kUnknown) value.type = type;
  }
}

}  // namespace

Result<ir::Model> ConvertVersion(const ir::Model& model, int opset) {
  if (opset < 1 || opset > LatestOpset()) {
    return WithReason(InvalidInput(fmt::format("operator set {} is not known (known: 1 to {})",
                                               opset, LatestOpset())),
                      "unknown-opset");
  }
  if (model.opset() == opset) return model;
  Skeleton skeleton = ModelToSkeleton(model);
  ::onnx::ModelProto converted;
  try {
    converted = ::onnx::version_conversion::ConvertVersion(skeleton.proto, opset);
  } catch (const std::exception& exception) {
    return CannotConvert(fmt::format("cannot be converted from opset {} to {}: {}", model.opset(),
                                     opset, Reason(exception.what())),
                         "try another --opset");
  }
  OPASS_ASSIGN_OR_RETURN(ir::Model result, ModelFromProto(converted, "converted model", ""));
  RestoreWeights(skeleton, result.graph);
  RestoreOverridable(model.graph, result.graph);
  RestoreNotes(model.graph, result.graph);
  result.producer_name = model.producer_name;
  result.producer_version = model.producer_version;
  result.domain = model.domain;
  result.model_version = model.model_version;
  result.doc_string = model.doc_string;
  result.metadata = model.metadata;
  result.folder = model.folder;
  OPASS_RETURN_IF_ERROR(ir::Verify(result.graph));
  return result;
}

}  // namespace opass::onnxlib
