#pragma once

#include <string>
#include <utility>
#include <vector>

#include "opass/ir/graph.h"

namespace opass::ort {

// Small models written in code, for tests.
class ModelBuilder {
 public:
  explicit ModelBuilder(std::int64_t opset = 21) {
    model_.ir_version = 10;
    model_.opsets[""] = opset;
    model_.graph.name = "graph";
  }

  ir::ValueId Input(const std::string& name, ir::Type type) {
    const ir::ValueId id = model_.graph.AddValue(name, std::move(type));
    model_.graph.inputs.push_back(id);
    return id;
  }
  ir::ValueId Input(const std::string& name, const std::vector<std::int64_t>& dims) {
    return Input(name, ir::Type::Tensor(ir::DataType::kFloat, dims));
  }
  ir::ValueId Constant(const std::string& name, ir::TensorPtr tensor) {
    return model_.graph.AddConstant(name, std::move(tensor));
  }
  // One node with one output of the same name.
  ir::ValueId Op(const std::string& type, std::vector<ir::ValueId> inputs, const std::string& name,
                 ir::Type output, std::vector<ir::Attribute> attributes = {}) {
    return Ops(type, std::move(inputs), {name}, {std::move(output)}, std::move(attributes))[0];
  }
  ir::ValueId Op(const std::string& type, std::vector<ir::ValueId> inputs, const std::string& name,
                 const std::vector<std::int64_t>& dims,
                 std::vector<ir::Attribute> attributes = {}) {
    return Op(type, std::move(inputs), name, ir::Type::Tensor(ir::DataType::kFloat, dims),
              std::move(attributes));
  }
  // One node named after its first output.
  std::vector<ir::ValueId> Ops(const std::string& type, std::vector<ir::ValueId> inputs,
                               const std::vector<std::string>& names,
                               const std::vector<ir::Type>& types,
                               std::vector<ir::Attribute> attributes = {}) {
    ir::Node node;
    const std::size_t dot = type.rfind('.');
    if (dot != std::string::npos) node.domain = type.substr(0, dot);
    if (!node.domain.empty()) model_.opsets.emplace(node.domain, 1);
    node.op_type = dot == std::string::npos ? type : type.substr(dot + 1);
    node.name = "node_" + names[0];
    node.inputs = std::move(inputs);
    node.attributes = std::move(attributes);
    for (std::size_t i = 0; i < names.size(); ++i) {
      node.outputs.push_back(model_.graph.AddValue(names[i], types[i]));
    }
    std::vector<ir::ValueId> outputs = node.outputs;
    model_.graph.AddNode(std::move(node));
    return outputs;
  }
  void Output(ir::ValueId id) { model_.graph.outputs.push_back(id); }

  ir::Model& model() { return model_; }

 private:
  ir::Model model_;
};

}  // namespace opass::ort
