#include "opass/onnx/to_proto.h"

#include <fmt/format.h>

#include <unordered_set>

#include "opass/onnx/tensors.h"
#include "opass/onnx/types.h"

namespace opass::onnxlib {
namespace {

using ::onnx::AttributeProto;
using ::onnx::GraphProto;

template <typename Proto>
void MetadataToProto(const ir::Metadata& metadata, Proto* proto) {
  for (const auto& [key, value] : metadata) {
    auto* entry = proto->add_metadata_props();
    entry->set_key(key);
    entry->set_value(value);
  }
}

bool AnyNameStartsWith(const ir::Graph& graph, const std::string& prefix) {
  for (std::size_t i = 0; i < graph.num_values(); ++i) {
    if (graph.value(ir::ValueId(i)).name.starts_with(prefix)) return true;
  }
  for (const ir::NodeId id : graph.order) {
    bool found = false;
    ir::ForEachSubgraph(graph.node(id), [&](const ir::Graph& subgraph) {
      found = found || AnyNameStartsWith(subgraph, prefix);
    });
    if (found) return true;
  }
  return false;
}

class Writer {
 public:
  Writer(const PlaceConstant& place, GraphProto* main) : place_(place), main_(main) {}

  void WriteGraph(const ir::Graph& graph, const std::vector<std::string>* outer, GraphProto* out);
  void WriteAttribute(const ir::Attribute& attribute, const std::vector<std::string>& names,
                      AttributeProto* out);
  std::string hoisted_prefix;
  std::vector<std::pair<std::string, ir::TensorPtr>> hoisted;

 private:
  void WriteConstants(const ir::Graph& graph, bool is_main, std::vector<std::string>& names,
                      GraphProto* out);
  void WriteNode(const ir::Graph& graph, ir::NodeId id, const std::vector<std::string>& names,
                 GraphProto* out);
  static void WriteValue(const ir::Value& value, const std::string& name,
                         ::onnx::ValueInfoProto* out);

  const PlaceConstant& place_;
  GraphProto* main_;
};

void Writer::WriteValue(const ir::Value& value, const std::string& name,
                        ::onnx::ValueInfoProto* out) {
  out->set_name(name);
  if (value.type.kind != ir::Type::Kind::kUnknown) *out->mutable_type() = TypeToProto(value.type);
  if (!value.doc_string.empty()) out->set_doc_string(value.doc_string);
  MetadataToProto(value.metadata, out);
}

void Writer::WriteConstants(const ir::Graph& graph, bool is_main, std::vector<std::string>& names,
                            GraphProto* out) {
  const std::vector<bool> used = UsedValues(graph);
  for (std::size_t i = 0; i < graph.num_values(); ++i) {
    const ir::Value& value = graph.value(ir::ValueId(i));
    if (value.constant == nullptr || (!used[i] && !value.overridable)) continue;
    const Placement placement = place_(*value.constant, is_main);
    switch (placement.kind) {
      case Placement::Kind::kEmbed:
        *out->add_initializer() = TensorToProto(*value.constant);
        DescribeConstant(value, names[i], out->mutable_initializer(out->initializer_size() - 1));
        break;
      case Placement::Kind::kExternal: {
        auto* tensor = out->add_initializer();
        *tensor = TensorHeader(*value.constant);
        DescribeConstant(value, names[i], tensor);
        tensor->set_data_location(::onnx::TensorProto::EXTERNAL);
        const auto add = [&](const char* key, std::string text) {
          auto* entry = tensor->add_external_data();
          entry->set_key(key);
          entry->set_value(std::move(text));
        };
        add("location", placement.external.location);
        add("offset", std::to_string(placement.external.offset));
        add("length", std::to_string(placement.external.length));
        break;
      }
      case Placement::Kind::kDeclare:
        WriteValue(value, names[i], out->add_value_info());
        break;
      case Placement::Kind::kInput:
        // An If's branch has no inputs of its own, so a subgraph's constant moves to the main
        // graph, under a name that nobody else has.
        if (!is_main) names[i] = fmt::format("{}{}", hoisted_prefix, hoisted.size());
        if (!value.overridable) WriteValue(value, names[i], main_->add_input());
        hoisted.emplace_back(names[i], value.constant);
        break;
      case Placement::Kind::kLeaveOut:
        break;
    }
  }
}

void Writer::WriteAttribute(const ir::Attribute& attribute, const std::vector<std::string>& names,
                            AttributeProto* out) {
  struct Visitor {
    Writer& writer;
    const std::vector<std::string>& names;
    AttributeProto* out;
    void operator()(std::int64_t value) {
      out->set_type(AttributeProto::INT);
      out->set_i(value);
    }
    void operator()(float value) {
      out->set_type(AttributeProto::FLOAT);
      out->set_f(value);
    }
    void operator()(const std::string& value) {
      out->set_type(AttributeProto::STRING);
      out->set_s(value);
    }
    void operator()(const ir::TensorPtr& value) {
      out->set_type(AttributeProto::TENSOR);
      *out->mutable_t() = TensorToProto(*value);
    }
    void operator()(const ir::GraphAttribute& value) {
      out->set_type(AttributeProto::GRAPH);
      writer.WriteGraph(*value, &names, out->mutable_g());
    }
    void operator()(const std::vector<std::int64_t>& values) {
      out->set_type(AttributeProto::INTS);
      out->mutable_ints()->Add(values.begin(), values.end());
    }
    void operator()(const std::vector<float>& values) {
      out->set_type(AttributeProto::FLOATS);
      out->mutable_floats()->Add(values.begin(), values.end());
    }
    void operator()(const std::vector<std::string>& values) {
      out->set_type(AttributeProto::STRINGS);
      for (const std::string& value : values) out->add_strings(value);
    }
    void operator()(const ir::OpaqueAttribute& value) { out->ParseFromString(value.bytes); }
  };
  std::visit(Visitor{*this, names, out}, attribute.value);
  out->set_name(attribute.name);
}

void Writer::WriteNode(const ir::Graph& graph, ir::NodeId id, const std::vector<std::string>& names,
                       GraphProto* out) {
  const ir::Node& node = graph.node(id);
  auto* proto = out->add_node();
  const auto name_of = [&](ir::ValueId value) {
    return value.valid() ? names[value.index()] : std::string();
  };
  for (const ir::ValueId input : node.inputs) proto->add_input(name_of(input));
  for (const ir::ValueId output : node.outputs) proto->add_output(name_of(output));
  proto->set_name(node.name);
  proto->set_op_type(node.op_type);
  if (!node.domain.empty()) proto->set_domain(node.domain);
  if (!node.overload.empty()) proto->set_overload(node.overload);
  if (!node.doc_string.empty()) proto->set_doc_string(node.doc_string);
  for (const auto& attribute : node.attributes) {
    WriteAttribute(attribute, names, proto->add_attribute());
  }
  MetadataToProto(node.metadata, proto);
}

void Writer::WriteGraph(const ir::Graph& graph, const std::vector<std::string>* outer,
                        GraphProto* out) {
  std::vector<std::string> names(graph.num_values());
  std::vector<bool> is_inner(graph.num_values(), true);
  for (std::size_t i = 0; i < names.size(); ++i) names[i] = graph.value(ir::ValueId(i)).name;
  for (const ir::Capture& capture : graph.captures) {
    names[capture.inner.index()] = (*outer)[capture.outer.index()];
    is_inner[capture.inner.index()] = false;
  }
  out->set_name(graph.name);
  if (!graph.doc_string.empty()) out->set_doc_string(graph.doc_string);
  MetadataToProto(graph.metadata, out);
  for (const ir::ValueId input : graph.inputs) {
    WriteValue(graph.value(input), names[input.index()], out->add_input());
    is_inner[input.index()] = false;
  }
  WriteConstants(graph, outer == nullptr, names, out);
  for (const ir::NodeId id : graph.order) WriteNode(graph, id, names, out);
  for (const ir::ValueId output : graph.outputs) {
    WriteValue(graph.value(output), names[output.index()], out->add_output());
    is_inner[output.index()] = false;
  }
  for (std::size_t i = 0; i < names.size(); ++i) {
    const ir::Value& value = graph.value(ir::ValueId(i));
    const bool says_something = value.type.kind != ir::Type::Kind::kUnknown ||
                                !value.doc_string.empty() || !value.metadata.empty();
    if (is_inner[i] && value.producer.valid() && says_something) {
      WriteValue(value, names[i], out->add_value_info());
    }
  }
  for (const std::string& bytes : graph.quantization_annotations) {
    out->add_quantization_annotation()->ParseFromString(bytes);
  }
}

}  // namespace

void DescribeConstant(const ir::Value& value, const std::string& name, ::onnx::TensorProto* proto) {
  proto->set_name(name);
  if (!value.doc_string.empty()) proto->set_doc_string(value.doc_string);
  MetadataToProto(value.metadata, proto);
}

std::vector<bool> UsedValues(const ir::Graph& graph) {
  std::vector<bool> used(graph.num_values());
  for (const ir::NodeId id : graph.order) {
    for (const ir::ValueId read : graph.Reads(id)) used[read.index()] = true;
  }
  for (const ir::ValueId output : graph.outputs) used[output.index()] = true;
  // Scales and zero points of an annotation are initializers that no node need read.
  std::unordered_set<std::string> annotated;
  for (const std::string& bytes : graph.quantization_annotations) {
    ::onnx::TensorAnnotation annotation;
    annotation.ParseFromString(bytes);
    for (const auto& entry : annotation.quant_parameter_tensor_names()) {
      annotated.insert(entry.value());
    }
  }
  for (std::size_t i = 0; !annotated.empty() && i < used.size(); ++i) {
    if (annotated.contains(graph.value(ir::ValueId(i)).name)) used[i] = true;
  }
  return used;
}

namespace {

::onnx::ModelProto WriteModel(const ir::Model& model, const PlaceConstant& place,
                              std::vector<std::pair<std::string, ir::TensorPtr>>* hoisted) {
  ::onnx::ModelProto proto;
  proto.set_ir_version(model.ir_version);
  for (const auto& [domain, version] : model.opsets) {
    auto* entry = proto.add_opset_import();
    entry->set_domain(domain);
    entry->set_version(version);
  }
  if (!model.producer_name.empty()) proto.set_producer_name(model.producer_name);
  if (!model.producer_version.empty()) proto.set_producer_version(model.producer_version);
  if (!model.domain.empty()) proto.set_domain(model.domain);
  if (model.model_version != 0) proto.set_model_version(model.model_version);
  if (!model.doc_string.empty()) proto.set_doc_string(model.doc_string);
  MetadataToProto(model.metadata, &proto);
  Writer writer(place, proto.mutable_graph());
  if (hoisted != nullptr) {
    writer.hoisted_prefix = "opass.hoisted.";
    while (AnyNameStartsWith(model.graph, writer.hoisted_prefix)) writer.hoisted_prefix += '_';
  }
  writer.WriteGraph(model.graph, nullptr, proto.mutable_graph());
  if (hoisted != nullptr) *hoisted = std::move(writer.hoisted);
  return proto;
}

}  // namespace

::onnx::ModelProto ModelToProto(const ir::Model& model, const PlaceConstant& place) {
  return WriteModel(model, place, nullptr);
}

Skeleton ModelToSkeleton(const ir::Model& model) {
  constexpr std::size_t kMaxIntegerBytes = 64 * 1024;
  constexpr std::size_t kMaxOtherBytes = 1024;
  Skeleton skeleton;
  const PlaceConstant place = [](const ir::Tensor& tensor, bool) -> Placement {
    const bool integer = tensor.type == ir::DataType::kInt64 || tensor.type == ir::DataType::kInt32;
    const bool large = tensor.bytes.size() > (integer ? kMaxIntegerBytes : kMaxOtherBytes);
    return {large ? Placement::Kind::kInput : Placement::Kind::kEmbed, {}};
  };
  skeleton.proto = WriteModel(model, place, &skeleton.weights);
  return skeleton;
}

}  // namespace opass::onnxlib
