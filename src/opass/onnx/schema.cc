#include "opass/onnx/schema.h"

#include "onnx/defs/schema.h"

namespace opass::onnxlib {
namespace {

const ::onnx::OpSchema* Find(const std::string& domain, const std::string& op_type,
                             std::int64_t opset) {
  const ::onnx::OpSchema* schema =
      ::onnx::OpSchemaRegistry::Schema(op_type, static_cast<int>(opset), domain);
  return schema == nullptr || schema->Deprecated() ? nullptr : schema;
}

// Dropout draws numbers only in training mode, an input from opset 12 on.
bool IsTrainingDropout(const ir::Graph& graph, const ir::Node& node) {
  if (!node.Is("Dropout")) return false;
  if (node.inputs.size() < 3 || !node.inputs[2].valid()) return false;
  const ir::Value& mode = graph.value(node.inputs[2]);
  if (mode.constant == nullptr || mode.overridable) return true;
  const auto elements = ir::AsInt64s(*mode.constant);
  return !elements || elements->empty() || elements->front() != 0;
}

}  // namespace

bool HasSchema(const std::string& domain, const std::string& op_type, std::int64_t opset) {
  return Find(domain, op_type, opset) != nullptr;
}

bool CanInferTypes(const std::string& domain, const std::string& op_type, std::int64_t opset) {
  const ::onnx::OpSchema* schema = Find(domain, op_type, opset);
  return schema != nullptr &&
         (schema->has_type_and_shape_inference_function() || schema->HasFunction());
}

bool IsOptionalOutput(const std::string& domain, const std::string& op_type, std::int64_t opset,
                      std::size_t position) {
  const ::onnx::OpSchema* schema = Find(domain, op_type, opset);
  return schema != nullptr && position < schema->outputs().size() &&
         schema->outputs()[position].GetOption() == ::onnx::OpSchema::Optional;
}

int LatestOpset() {
  return ::onnx::OpSchemaRegistry::DomainToVersionRange::Instance().Map().at("").second;
}

bool IsDeterministic(const ir::Graph& graph, ir::NodeId id) {
  const ir::Node& node = graph.node(id);
  for (const char* random : {"RandomNormal", "RandomNormalLike", "RandomUniform",
                             "RandomUniformLike", "Multinomial", "Bernoulli"}) {
    if (node.Is(random)) return false;
  }
  if (IsTrainingDropout(graph, node)) return false;
  bool deterministic = true;
  ir::ForEachSubgraph(node, [&](const ir::Graph& subgraph) {
    for (const ir::NodeId inner : subgraph.order) {
      deterministic = deterministic && IsDeterministic(subgraph, inner);
    }
  });
  return deterministic;
}

}  // namespace opass::onnxlib
