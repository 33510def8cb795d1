#include "opass/onnx/schema.h"

#include <algorithm>
#include <cstddef>

#include "onnx/defs/schema.h"

namespace opass::onnxlib {
namespace {

using Formal = ::onnx::OpSchema::FormalParameter;

// Of the operand at this position; a variadic parameter is the last one and takes all the rest.
const Formal* FormalAt(const std::vector<Formal>& formals, std::size_t position) {
  if (position < formals.size()) return &formals[position];
  if (formals.empty() || formals.back().GetOption() != ::onnx::OpSchema::Variadic) return nullptr;
  return &formals.back();
}

// Numbers type parameters as they come.
class Numbering {
 public:
  std::vector<int> Of(const std::vector<Formal>& formals, std::size_t num_operands) {
    std::vector<int> numbers;
    for (std::size_t i = 0; i < num_operands; ++i) {
      const Formal* formal = FormalAt(formals, i);
      const bool is_alike =
          formal != nullptr &&
          (formal->GetOption() != ::onnx::OpSchema::Variadic || formal->GetIsHomogeneous());
      numbers.push_back(is_alike ? Of(*formal) : TypeParameters::kFixedType);
    }
    return numbers;
  }
  std::vector<bool> TakeFloat16() const { return takes_float16_; }

 private:
  int Of(const Formal& formal) {
    const std::string name = formal.GetTypeStr();
    if (name.find('(') != std::string::npos) return TypeParameters::kFixedType;
    const auto found = std::ranges::find(names_, name);
    if (found != names_.end()) return static_cast<int>(found - names_.begin());
    names_.push_back(name);
    takes_float16_.push_back(std::ranges::any_of(
        formal.GetTypes(), [](const std::string* type) { return *type == "tensor(float16)"; }));
    return static_cast<int>(names_.size()) - 1;
  }

  std::vector<std::string> names_;
  std::vector<bool> takes_float16_;
};

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

std::optional<TypeParameters> TypeParametersOf(const ir::Node& node, std::int64_t opset) {
  const ::onnx::OpSchema* schema = Find(node.domain, node.op_type, opset);
  if (schema == nullptr) return std::nullopt;
  Numbering numbering;
  TypeParameters parameters;
  parameters.inputs = numbering.Of(schema->inputs(), node.inputs.size());
  parameters.outputs = numbering.Of(schema->outputs(), node.outputs.size());
  parameters.takes_float16 = numbering.TakeFloat16();
  return parameters;
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
