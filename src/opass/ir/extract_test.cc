#include "opass/ir/extract.h"

#include <gtest/gtest.h>

namespace opass::ir {
namespace {

Node Op(std::string name, std::string type, std::vector<ValueId> inputs,
        std::vector<ValueId> outputs) {
  Node node;
  node.name = std::move(name);
  node.op_type = std::move(type);
  node.inputs = std::move(inputs);
  node.outputs = std::move(outputs);
  return node;
}

const Type kType = Type::Tensor(DataType::kFloat, {2});

// x -> Relu -> a; Add(a, weight) -> b; If(c) {Neg(a)} -> d
Model ThreeNodes() {
  Model model;
  model.ir_version = 3;
  model.opsets[""] = 17;
  Graph& graph = model.graph;
  const ValueId x = graph.AddValue("x", kType);
  const ValueId c = graph.AddValue("c", Type::Tensor(DataType::kBool, {}));
  graph.inputs = {x, c};
  const ValueId weight = graph.AddConstant("weight", Tensor::FromFloats({2}, {1, 2}));
  const ValueId a = graph.AddValue("a", kType);
  const ValueId b = graph.AddValue("b", kType);
  const ValueId d = graph.AddValue("d", kType);
  graph.AddNode(Op("relu", "Relu", {x}, {a}));
  graph.AddNode(Op("add", "Add", {a, weight}, {b}));
  Graph branch;
  const ValueId inner = branch.AddValue("a", kType);
  const ValueId negated = branch.AddValue("negated", kType);
  branch.captures = {{a, inner}};
  branch.AddNode(Op("neg", "Neg", {inner}, {negated}));
  branch.outputs = {negated};
  Node choose = Op("if", "If", {c}, {d});
  choose.attributes.push_back({"then_branch", GraphAttribute(branch)});
  choose.attributes.push_back({"else_branch", GraphAttribute(branch)});
  graph.AddNode(std::move(choose));
  graph.outputs = {b, d};
  return model;
}

std::vector<std::string> Names(const Graph& graph, const std::vector<ValueId>& ids) {
  std::vector<std::string> names;
  for (const ValueId id : ids) names.push_back(graph.value(id).name);
  return names;
}

TEST(ExtractTest, ReadValuesBecomeInputsAndConstantsStayInitializers) {
  const Model model = ThreeNodes();
  const NodeId add = model.graph.order[1];
  const Model one = Extract(model, std::vector{add}, model.graph.node(add).outputs);
  ASSERT_TRUE(Verify(one.graph).ok()) << Verify(one.graph).error().ToString();
  EXPECT_EQ(Names(one.graph, one.graph.inputs), (std::vector<std::string>{"a"}));
  EXPECT_EQ(Names(one.graph, one.graph.outputs), (std::vector<std::string>{"b"}));
  EXPECT_EQ(one.graph.value(one.graph.inputs[0]).type.ToString(), "float32[2]");
  const Node& node = one.graph.node(one.graph.order[0]);
  EXPECT_NE(one.graph.value(node.inputs[1]).constant, nullptr);
  EXPECT_EQ(one.ir_version, 4);
  EXPECT_EQ(one.opset(), 17);
}

TEST(ExtractTest, CapturedValuesBecomeInputs) {
  const Model model = ThreeNodes();
  const NodeId choose = model.graph.order[2];
  const Model one = Extract(model, std::vector{choose}, model.graph.node(choose).outputs);
  ASSERT_TRUE(Verify(one.graph).ok()) << Verify(one.graph).error().ToString();
  EXPECT_EQ(Names(one.graph, one.graph.inputs), (std::vector<std::string>{"c", "a"}));
}

TEST(ExtractTest, ValuesBetweenTheNodesStayInside) {
  const Model model = ThreeNodes();
  const Model two =
      Extract(model, std::span(model.graph.order).first(2), std::vector{model.graph.outputs[0]});
  EXPECT_EQ(Names(two.graph, two.graph.inputs), (std::vector<std::string>{"x"}));
  EXPECT_EQ(two.graph.order.size(), 2U);
}

}  // namespace
}  // namespace opass::ir
