#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "opass/ir/graph.h"

namespace opass::onnxlib {

// Does ONNX define the operator in this version of its domain's operator set?
bool HasSchema(const std::string& domain, const std::string& op_type, std::int64_t opset);

// Does it also say how to infer the types of its outputs?
bool CanInferTypes(const std::string& domain, const std::string& op_type, std::int64_t opset);

// May a node leave out its output of this position? False for operators without a schema.
bool IsOptionalOutput(const std::string& domain, const std::string& op_type, std::int64_t opset,
                      std::size_t position);

// The operands of a node by the type parameters of its schema ("T"): operands of one number have
// one element type. kFixedType: a type that the schema names, of a variadic list of unlike types,
// or beyond the schema.
struct TypeParameters {
  static constexpr int kFixedType = -1;
  std::vector<int> inputs;
  std::vector<int> outputs;
  std::vector<bool> takes_float16;  // by number
};
std::optional<TypeParameters> TypeParametersOf(const ir::Node& node, std::int64_t opset);

// The newest operator set of ONNX's own domain that opass knows.
int LatestOpset();

// False for operators that draw random numbers (RandomNormal, Bernoulli, Dropout in training mode,
// ...), in the node itself or in one of its subgraphs, also when a seed is given: runtimes differ.
bool IsDeterministic(const ir::Graph& graph, ir::NodeId id);

}  // namespace opass::onnxlib
