#include "opass/onnx/shape_inference.h"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <map>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "onnx/defs/schema.h"
#include "onnx/shape_inference/implementation.h"
#include "opass/onnx/check.h"
#include "opass/onnx/guarded_schemas.h"
#include "opass/onnx/schema.h"
#include "opass/onnx/to_proto.h"
#include "opass/onnx/types.h"

namespace opass::onnxlib {
namespace {

using ::onnx::GraphProto;
using ::onnx::ValueInfoProto;

// Symbols that ONNX invents for dimensions it cannot name.
constexpr std::string_view kInventedSymbol = "unk__";

// Takes away what the graph says of values that inference computes itself, so that a wrong claim is
// found by comparison instead of spoiling the inference.
void ForgetInferable(const std::map<std::string, std::int64_t>& opsets, GraphProto& graph) {
  std::unordered_map<std::string, bool> inferable;
  for (auto& node : *graph.mutable_node()) {
    const auto opset = opsets.find(node.domain());
    const bool known =
        opset != opsets.end() && CanInferTypes(node.domain(), node.op_type(), opset->second);
    for (const std::string& output : node.output()) inferable[output] = known;
    for (auto& attribute : *node.mutable_attribute()) {
      if (attribute.has_g()) ForgetInferable(opsets, *attribute.mutable_g());
    }
  }
  const auto forget = [&](const ValueInfoProto& info) {
    const auto found = inferable.find(info.name());
    return found != inferable.end() && found->second;
  };
  auto* infos = graph.mutable_value_info();
  infos->erase(std::remove_if(infos->begin(), infos->end(), forget), infos->end());
  for (auto& output : *graph.mutable_output()) {
    if (forget(output)) output.clear_type();
  }
}

// Writes out the default attributes of operators that ONNX infers through their function body: it
// does not fill them in by itself (seen with MeanVarianceNormalization).
void AddDefaultAttributes(const std::map<std::string, std::int64_t>& opsets, GraphProto& graph) {
  for (auto& node : *graph.mutable_node()) {
    for (auto& attribute : *node.mutable_attribute()) {
      if (attribute.has_g()) AddDefaultAttributes(opsets, *attribute.mutable_g());
    }
    const auto opset = opsets.find(node.domain());
    if (opset == opsets.end()) continue;
    const ::onnx::OpSchema* schema = ::onnx::OpSchemaRegistry::Schema(
        node.op_type(), static_cast<int>(opset->second), node.domain());
    if (schema == nullptr || schema->has_type_and_shape_inference_function()) continue;
    for (const auto& [name, formal] : schema->attributes()) {
      const bool given = std::ranges::any_of(
          node.attribute(), [&](const auto& attribute) { return attribute.name() == formal.name; });
      if (given || !formal.default_value.has_type()) continue;
      *node.add_attribute() = formal.default_value;
    }
  }
}

// ONNX carries the elements of shapes through all scopes by name. Two branches may use one name for
// different values: as long as this lives, no two do.
class DistinctNames {
 public:
  explicit DistinctNames(ir::Graph& graph) { Visit(graph); }
  DistinctNames(const DistinctNames&) = delete;
  DistinctNames& operator=(const DistinctNames&) = delete;
  ~DistinctNames() {
    for (auto& [name, original] : renamed_) *name = std::move(original);
  }

 private:
  void Visit(ir::Graph& graph) {
    std::vector<bool> is_captured(graph.num_values());
    for (const ir::Capture& capture : graph.captures) is_captured[capture.inner.index()] = true;
    for (std::size_t i = 0; i < graph.num_values(); ++i) {
      std::string& name = graph.value(ir::ValueId(i)).name;
      if (is_captured[i] || used_.insert(name).second) continue;
      std::string distinct;
      do {
        distinct = fmt::format("{}/{}", name, ++count_);
      } while (!used_.insert(distinct).second);
      renamed_.emplace_back(&name, std::exchange(name, distinct));
    }
    for (const ir::NodeId id : graph.order) {
      ir::ForEachSubgraph(graph.node(id), [&](ir::Graph& inner) { Visit(inner); });
    }
  }

  std::unordered_set<std::string> used_;
  std::vector<std::pair<std::string*, std::string>> renamed_;
  int count_ = 0;
};

class Merger {
 public:
  // True when some declared type was more precise than the inferred one.
  bool declared_knew_more = false;

  Status MergeGraph(const GraphProto& proto, ir::Graph& graph) {
    std::unordered_map<std::string_view, const ::onnx::TypeProto*> types;
    for (const auto* infos : {&proto.value_info(), &proto.input(), &proto.output()}) {
      for (const ValueInfoProto& info : *infos) {
        if (info.has_type()) types[info.name()] = &info.type();
      }
    }
    for (std::size_t i = 0; i < graph.num_values(); ++i) {
      ir::Value& value = graph.value(ir::ValueId(i));
      if (value.constant != nullptr) continue;
      const auto found = types.find(value.name);
      if (found != types.end()) OPASS_RETURN_IF_ERROR(MergeValue(*found->second, value));
    }
    for (std::size_t i = 0; i < graph.order.size(); ++i) {
      OPASS_RETURN_IF_ERROR(
          MergeSubgraphs(proto.node(static_cast<int>(i)), graph, graph.node(graph.order[i])));
    }
    return {};
  }

 private:
  Status MergeValue(const ::onnx::TypeProto& proto, ir::Value& value) {
    const std::string what = fmt::format("value '{}'", value.name);
    OPASS_ASSIGN_OR_RETURN(ir::Type inferred, TypeFromProto(proto, what));
    if (inferred.shape) {
      for (ir::Dim& dim : *inferred.shape) {
        if (dim.symbol.starts_with(kInventedSymbol)) dim.symbol.clear();
      }
    }
    OPASS_ASSIGN_OR_RETURN(ir::Type merged, MergeTypes(value.type, inferred, what));
    declared_knew_more = declared_knew_more || KnowsMore(merged, inferred);
    value.type = std::move(merged);
    return {};
  }

  static bool KnowsMore(const ir::Type& merged, const ir::Type& inferred) {
    if (merged.kind != ir::Type::Kind::kTensor) return merged.kind != inferred.kind;
    return merged.StaticDims().has_value() && !inferred.StaticDims().has_value();
  }

  Status MergeSubgraphs(const ::onnx::NodeProto& proto, const ir::Graph& outer, ir::Node& node) {
    for (std::size_t i = 0; i < node.attributes.size(); ++i) {
      auto* attribute = std::get_if<ir::GraphAttribute>(&node.attributes[i].value);
      if (attribute == nullptr) continue;
      ir::Graph& graph = **attribute;
      for (const ir::Capture& capture : graph.captures) {
        graph.value(capture.inner).type = outer.value(capture.outer).type;
      }
      OPASS_RETURN_IF_ERROR(MergeGraph(proto.attribute(static_cast<int>(i)).g(), graph));
    }
    return {};
  }
};

Status RunInference(bool strict, ::onnx::ModelProto& proto) {
  const ::onnx::ShapeInferenceOptions options(/*check_type_val=*/strict,
                                              /*strict_mode_val=*/strict ? 1 : 0,
                                              /*data_prop_val=*/true);
  std::unordered_map<std::string, ::onnx::TensorShapeProto> shape_data;
  try {
    ::onnx::shape_inference::InferShapes(proto, &GuardedSchemas(), options, &shape_data);
  } catch (const std::exception& exception) {
    return WithReason(InvalidInput(OneLine(exception.what())), "type-mismatch");
  }
  return {};
}

}  // namespace

Status InferTypes(ir::Model& model) {
  const DistinctNames distinct_names(model.graph);
  Merger merger;
  {
    ::onnx::ModelProto proto = ModelToSkeleton(model).proto;
    ForgetInferable(model.opsets, *proto.mutable_graph());
    AddDefaultAttributes(model.opsets, *proto.mutable_graph());
    OPASS_RETURN_IF_ERROR(RunInference(/*strict=*/true, proto));
    OPASS_RETURN_IF_ERROR(merger.MergeGraph(proto.graph(), model.graph));
  }
  if (!merger.declared_knew_more) return {};
  // Declared types that inference cannot find by itself may tell it more about what follows.
  ::onnx::ModelProto proto = ModelToSkeleton(model).proto;
  OPASS_RETURN_IF_ERROR(RunInference(/*strict=*/false, proto));
  return Merger().MergeGraph(proto.graph(), model.graph);
}

}  // namespace opass::onnxlib
