#include "opass/onnx/graph_reader.h"

#include <fmt/format.h>

#include <unordered_map>
#include <unordered_set>

#include "opass/onnx/attributes.h"
#include "opass/onnx/constant_node.h"
#include "opass/onnx/tensors.h"
#include "opass/onnx/types.h"
#include "opass/onnx/utf8.h"

namespace opass::onnxlib {
namespace {

constexpr int kMaxDepth = 32;

template <typename Proto>
ir::Metadata ReadMetadata(const Proto& proto) {
  ir::Metadata metadata;
  for (const auto& entry : proto.metadata_props())
    metadata.emplace_back(entry.key(), entry.value());
  return metadata;
}

}  // namespace

// A graph under construction and the names its nodes see.
struct GraphReader::Scope {
  Scope* outer = nullptr;
  ir::Graph graph;
  std::unordered_map<std::string, ir::ValueId> values;  // by the name in the file
  std::unordered_map<std::string, const ::onnx::ValueInfoProto*> declared;
};

Error GraphReader::Wrong(std::string message, std::string_view what, std::string_view name,
                         std::string reason) const {
  return WithReason(
      InvalidInput(std::move(message), fmt::format("{}: {} '{}'", where_, what, name)),
      std::move(reason));
}

std::string GraphReader::UniqueValueName(const std::string& wish, const Scope& scope) {
  bool hides = false;
  for (const Scope* outer = scope.outer; outer != nullptr; outer = outer->outer) {
    hides = hides || outer->values.contains(wish);
  }
  return hides ? names_.InventValueName(wish) : wish;
}

Result<ir::ValueId> GraphReader::Define(const std::string& name, Scope& scope) {
  if (name.empty()) return Wrong("a value has no name", "graph", scope.graph.name, "bad-name");
  if (!IsUtf8(name))
    return Wrong("a value's name is no UTF-8", "graph", scope.graph.name, "bad-name");
  if (scope.values.contains(name)) {
    return Wrong("the value is defined twice", "value", name, "duplicate-name");
  }
  ir::Value described;
  if (const auto found = scope.declared.find(name); found != scope.declared.end()) {
    const ::onnx::ValueInfoProto& info = *found->second;
    OPASS_ASSIGN_OR_RETURN(described.type,
                           TypeFromProto(info.type(), fmt::format("{}: value '{}'", where_, name)));
    described.doc_string = info.doc_string();
    described.metadata = ReadMetadata(info);
  }
  const ir::ValueId id =
      scope.graph.AddValue(UniqueValueName(name, scope), std::move(described.type));
  scope.graph.value(id).doc_string = std::move(described.doc_string);
  scope.graph.value(id).metadata = std::move(described.metadata);
  scope.values.emplace(name, id);
  return id;
}

Result<ir::ValueId> GraphReader::Resolve(const std::string& name, Scope& scope,
                                         const std::string& where) {
  if (const auto found = scope.values.find(name); found != scope.values.end()) {
    return found->second;
  }
  if (scope.outer == nullptr) {
    return WithReason(InvalidInput(fmt::format("reads '{}', which nothing defines", name), where),
                      "undefined-value");
  }
  OPASS_ASSIGN_OR_RETURN(const ir::ValueId outer, Resolve(name, *scope.outer, where));
  const ir::Value& captured = scope.outer->graph.value(outer);
  const ir::ValueId inner = scope.graph.AddValue(captured.name, captured.type);
  scope.graph.captures.push_back({outer, inner});
  scope.values.emplace(name, inner);
  return inner;
}

Status GraphReader::ReadTypes(const ::onnx::GraphProto& proto, Scope& scope) {
  // What the graph's signature says counts for more than value_info: it comes first.
  for (const auto& info : proto.input()) scope.declared.emplace(info.name(), &info);
  for (const auto& info : proto.output()) {
    if (info.has_type()) scope.declared.emplace(info.name(), &info);
  }
  for (const auto& info : proto.value_info()) {
    if (info.has_type() || !info.doc_string().empty() || info.metadata_props_size() > 0) {
      scope.declared.emplace(info.name(), &info);
    }
  }
  return {};
}

Status GraphReader::ReadInitializers(::onnx::GraphProto& proto, Scope& scope) {
  const auto add = [&](const ::onnx::TensorProto& info, ir::TensorPtr tensor) -> Status {
    OPASS_ASSIGN_OR_RETURN(const ir::ValueId id, Define(info.name(), scope));
    ir::Value& value = scope.graph.value(id);
    value.type = ir::Type::Tensor(tensor->type, tensor->dims);
    value.constant = std::move(tensor);
    if (!info.doc_string().empty()) value.doc_string = info.doc_string();
    if (info.metadata_props_size() > 0) value.metadata = ReadMetadata(info);
    return {};
  };
  const auto place = [&](const std::string& name) {
    return fmt::format("{}: initializer '{}'", where_, name);
  };
  for (auto& tensor : *proto.mutable_initializer()) {
    OPASS_ASSIGN_OR_RETURN(ir::TensorPtr taken, TakeTensor(tensor, files_, place(tensor.name())));
    OPASS_RETURN_IF_ERROR(add(tensor, std::move(taken)));
  }
  for (auto& sparse : *proto.mutable_sparse_initializer()) {
    OPASS_ASSIGN_OR_RETURN(ir::TensorPtr taken,
                           TakeSparseTensor(sparse, files_, place(sparse.values().name())));
    OPASS_RETURN_IF_ERROR(add(sparse.values(), std::move(taken)));
  }
  return {};
}

Status GraphReader::CheckInitializerType(const ::onnx::ValueInfoProto& proto,
                                         const ir::Type& tensor) {
  OPASS_ASSIGN_OR_RETURN(
      const ir::Type declared,
      TypeFromProto(proto.type(), fmt::format("{}: input '{}'", where_, proto.name())));
  bool agree = declared.kind == ir::Type::Kind::kTensor && declared.elem == tensor.elem;
  if (agree && declared.shape) {
    agree = declared.shape->size() == tensor.shape->size();
    for (std::size_t i = 0; agree && i < tensor.shape->size(); ++i) {
      agree = !(*declared.shape)[i].known() || (*declared.shape)[i] == (*tensor.shape)[i];
    }
  }
  if (agree || declared.kind == ir::Type::Kind::kUnknown) return {};
  return Wrong(fmt::format("declared as {} but its initializer is {}", declared.ToString(),
                           tensor.ToString()),
               "input", proto.name(), "type-mismatch");
}

Status GraphReader::ReadInputs(const ::onnx::GraphProto& proto, Scope& scope) {
  std::unordered_set<std::string> seen;
  for (const auto& input : proto.input()) {
    if (!seen.insert(input.name()).second) {
      return Wrong("the input is listed twice", "input", input.name(), "duplicate-name");
    }
    const auto found = scope.values.find(input.name());
    if (found == scope.values.end()) {
      OPASS_ASSIGN_OR_RETURN(const ir::ValueId id, Define(input.name(), scope));
      scope.graph.inputs.push_back(id);
      continue;
    }
    ir::Value& value = scope.graph.value(found->second);
    OPASS_RETURN_IF_ERROR(CheckInitializerType(input, value.type));
    // Before IR version 4, every initializer had to be listed as an input too.
    if (ir_version_ < 4) continue;
    value.overridable = true;
    scope.graph.inputs.push_back(found->second);
  }
  return {};
}

Status GraphReader::DefineOutputs(::onnx::NodeProto& node, Scope& scope) {
  if (!IsConstantNode(node)) {
    for (const std::string& name : node.output()) {
      if (!name.empty()) OPASS_RETURN_IF_ERROR(Define(name, scope));
    }
    return {};
  }
  const std::string where = fmt::format("{}: Constant '{}'", where_,
                                        node.output_size() > 0 ? node.output(0) : node.name());
  OPASS_ASSIGN_OR_RETURN(ir::TensorPtr tensor, TakeConstant(node, files_, where));
  if (node.output(0).empty()) return {};
  OPASS_ASSIGN_OR_RETURN(const ir::ValueId id, Define(node.output(0), scope));
  ir::Value& value = scope.graph.value(id);
  value.type = ir::Type::Tensor(tensor->type, tensor->dims);
  value.constant = std::move(tensor);
  if (value.doc_string.empty()) value.doc_string = node.doc_string();
  return {};
}

Result<ir::Attribute> GraphReader::ReadAttribute(::onnx::AttributeProto& proto, Scope& scope,
                                                 const std::string& where, int depth) {
  if (TypeOf(proto) == ::onnx::AttributeProto::GRAPH) {
    OPASS_ASSIGN_OR_RETURN(ir::Graph graph, ReadGraph(*proto.mutable_g(), &scope, depth + 1));
    return ir::Attribute{proto.name(), ir::GraphAttribute(std::move(graph))};
  }
  return TakeAttribute(proto, files_, fmt::format("{}, attribute '{}'", where, proto.name()));
}

Status GraphReader::ReadNode(::onnx::NodeProto& proto, Scope& scope, int depth) {
  if (!IsUtf8(proto.name()) || !IsUtf8(proto.op_type()) || !IsUtf8(proto.domain())) {
    return WithReason(InvalidInput("the name of a node or an operator is no UTF-8", where_),
                      "bad-name");
  }
  ir::Node node;
  node.domain = proto.domain() == "ai.onnx" ? "" : proto.domain();
  node.op_type = proto.op_type();
  node.overload = proto.overload();
  node.name = names_.NodeName(proto.name(), proto.op_type());
  node.doc_string = proto.doc_string();
  node.metadata = ReadMetadata(proto);
  const std::string where = fmt::format("{}: node '{}' ({})", where_, node.name, node.op_type);
  for (const std::string& name : proto.input()) {
    ir::ValueId input;
    if (!name.empty()) {
      OPASS_ASSIGN_OR_RETURN(input, Resolve(name, scope, where));
    }
    node.inputs.push_back(input);
  }
  for (const std::string& name : proto.output()) {
    node.outputs.push_back(name.empty() ? ir::ValueId() : scope.values.at(name));
  }
  std::unordered_set<std::string> seen;
  for (auto& attribute : *proto.mutable_attribute()) {
    if (!seen.insert(attribute.name()).second) {
      return WithReason(
          InvalidInput(fmt::format("the attribute '{}' is given twice", attribute.name()), where),
          "bad-node");
    }
    OPASS_ASSIGN_OR_RETURN(ir::Attribute read, ReadAttribute(attribute, scope, where, depth));
    node.attributes.push_back(std::move(read));
  }
  scope.graph.AddNode(std::move(node));
  return {};
}

Status GraphReader::ReadOutputs(const ::onnx::GraphProto& proto, Scope& scope) {
  ir::Graph& graph = scope.graph;
  const std::string where = fmt::format("{}: outputs of graph '{}'", where_, proto.name());
  std::unordered_map<std::string, ir::ValueId> copies;
  std::unordered_set<ir::ValueId> captured_values;
  for (const ir::Capture& capture : graph.captures) captured_values.insert(capture.inner);
  for (const auto& output : proto.output()) {
    OPASS_ASSIGN_OR_RETURN(const ir::ValueId id, Resolve(output.name(), scope, where));
    // An output may be the first to read an outer value: then it was captured just now.
    if (!graph.captures.empty()) captured_values.insert(graph.captures.back().inner);
    const bool captured = captured_values.contains(id);
    if (!captured && (graph.value(id).constant == nullptr || graph.value(id).overridable)) {
      graph.outputs.push_back(id);
      continue;
    }
    // A constant or captured value gets a copy to be the output, so that it has bytes of its own.
    if (const auto made = copies.find(output.name()); made != copies.end()) {
      graph.outputs.push_back(made->second);
      continue;
    }
    const ir::ValueId copy = CopyForOutput(graph, id, captured);
    copies.emplace(output.name(), copy);
    graph.outputs.push_back(copy);
  }
  return {};
}

ir::ValueId GraphReader::CopyForOutput(ir::Graph& graph, ir::ValueId id, bool captured) {
  // The output keeps its name and the constant takes another; what is captured keeps its own.
  std::string output_name = graph.value(id).name;
  std::string fresh = names_.InventValueName(output_name);
  if (captured) {
    output_name = std::move(fresh);
  } else {
    graph.value(id).name = fresh;
    graph.ReserveName(std::move(fresh));
  }
  const ir::ValueId copy = graph.AddValue(std::move(output_name), graph.value(id).type);
  ir::Node identity;
  identity.op_type = "Identity";
  identity.name = names_.NodeName("", identity.op_type);
  identity.inputs = {id};
  identity.outputs = {copy};
  graph.AddNode(std::move(identity));
  return copy;
}

Result<ir::Graph> GraphReader::ReadGraph(::onnx::GraphProto& proto, Scope* outer, int depth) {
  if (depth > kMaxDepth) {
    return Wrong(fmt::format("subgraphs nest more than {} levels deep", kMaxDepth), "graph",
                 proto.name(), "too-deep");
  }
  if (!IsUtf8(proto.name())) {
    return WithReason(InvalidInput("the name of a graph is no UTF-8", where_), "bad-name");
  }
  Scope scope;
  scope.outer = outer;
  scope.graph.name = proto.name();
  scope.graph.doc_string = proto.doc_string();
  scope.graph.metadata = ReadMetadata(proto);
  for (const auto& annotation : proto.quantization_annotation()) {
    scope.graph.quantization_annotations.push_back(annotation.SerializeAsString());
  }
  OPASS_RETURN_IF_ERROR(ReadTypes(proto, scope));
  OPASS_RETURN_IF_ERROR(ReadInitializers(proto, scope));
  OPASS_RETURN_IF_ERROR(ReadInputs(proto, scope));
  for (auto& node : *proto.mutable_node()) OPASS_RETURN_IF_ERROR(DefineOutputs(node, scope));
  for (auto& node : *proto.mutable_node()) {
    if (!IsConstantNode(node)) OPASS_RETURN_IF_ERROR(ReadNode(node, scope, depth));
  }
  OPASS_RETURN_IF_ERROR(ReadOutputs(proto, scope));
  if (Status sorted = ir::SortTopologically(scope.graph); !sorted.ok()) {
    sorted.error().where = fmt::format("{}: {}", where_, sorted.error().where);
    return WithReason(std::move(sorted.error()), "cycle");
  }
  return std::move(scope.graph);
}

Result<ir::Graph> GraphReader::Read() {
  OPASS_ASSIGN_OR_RETURN(ir::Graph graph, ReadGraph(proto_, nullptr, 0));
  OPASS_RETURN_IF_ERROR(names_.Reserve(graph, where_));
  return graph;
}

}  // namespace opass::onnxlib
