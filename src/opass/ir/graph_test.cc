#include "opass/ir/graph.h"

#include <gtest/gtest.h>

namespace opass::ir {
namespace {

Node MakeNode(std::string name, std::string op_type, std::vector<ValueId> inputs,
              std::vector<ValueId> outputs) {
  Node node;
  node.name = std::move(name);
  node.op_type = std::move(op_type);
  node.inputs = std::move(inputs);
  node.outputs = std::move(outputs);
  return node;
}

const Type kVector = Type::Tensor(DataType::kFloat, {4});

TEST(Type, SizesArePackedAndChecked) {
  EXPECT_EQ(SizeBytes(DataType::kFloat, {2, 3}), 24);
  EXPECT_EQ(SizeBytes(DataType::kInt4, {5}), 3);
  EXPECT_EQ(SizeBytes(DataType::kBool, {}), 1);
  EXPECT_EQ(SizeBytes(DataType::kFloat, {0, 5}), 0);
  EXPECT_EQ(SizeBytes(DataType::kFloat, {INT64_MAX, 2}), std::nullopt);
  EXPECT_EQ(SizeBytes(DataType::kFloat, {-1}), std::nullopt);
  EXPECT_EQ(SizeBytes(DataType::kString, {2}), std::nullopt);
  EXPECT_EQ(kVector.ToString(), "float32[4]");
}

TEST(Graph, FreshNamesNeverRepeat) {
  Graph graph;
  graph.AddValue("x");
  EXPECT_EQ(graph.FreshName("x"), "x_1");
  EXPECT_EQ(graph.FreshName("x"), "x_2");
  EXPECT_EQ(graph.FreshName("y"), "y");
  EXPECT_EQ(graph.FreshName(""), "_1");
}

TEST(Graph, SortKeepsTheFileOrderWhereItCan) {
  Graph graph;
  const ValueId x = graph.AddValue("x", kVector);
  const ValueId a = graph.AddValue("a", kVector);
  const ValueId b = graph.AddValue("b", kVector);
  const ValueId c = graph.AddValue("c", kVector);
  graph.inputs = {x};
  graph.AddNode(MakeNode("late", "Relu", {b}, {c}));
  graph.AddNode(MakeNode("first", "Relu", {x}, {a}));
  graph.AddNode(MakeNode("second", "Relu", {x}, {b}));
  graph.outputs = {a, c};
  EXPECT_FALSE(Verify(graph).ok());
  ASSERT_TRUE(SortTopologically(graph).ok());
  EXPECT_TRUE(Verify(graph).ok());
  EXPECT_EQ(graph.node(graph.order[0]).name, "first");
  EXPECT_EQ(graph.node(graph.order[2]).name, "late");
}

TEST(Graph, ReadsOfOneNodeAreListedOnceInOrderAndInLinearTime) {
  constexpr std::size_t kMany = 300'000;  // quadratic work would take minutes
  Graph graph;
  Node concat = MakeNode("concat", "Concat", {}, {graph.AddValue("all", kVector)});
  for (std::size_t i = 0; i < kMany; ++i) {
    concat.inputs.push_back(graph.AddValue("v" + std::to_string(i), kVector));
    concat.inputs.push_back(concat.inputs.front());
  }
  const ValueId first = concat.inputs.front();
  const ValueId last = concat.inputs[concat.inputs.size() - 2];
  const std::vector<ValueId> reads = graph.Reads(graph.AddNode(std::move(concat)));
  ASSERT_EQ(reads.size(), kMany);
  EXPECT_EQ(reads.front(), first);
  EXPECT_EQ(reads.back(), last);
}

TEST(Graph, CyclesAreNamed) {
  Graph graph;
  const ValueId a = graph.AddValue("a", kVector);
  const ValueId b = graph.AddValue("b", kVector);
  graph.AddNode(MakeNode("one", "Relu", {b}, {a}));
  graph.AddNode(MakeNode("two", "Relu", {a}, {b}));
  const Status status = SortTopologically(graph);
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().code, ErrorCode::kInvalidInput);
  EXPECT_EQ(status.error().where, "node 'one' (Relu)");
}

TEST(Graph, CapturesAreReadsAndFollowReplacements) {
  Graph inner;
  const ValueId captured = inner.AddValue("x", kVector);
  const ValueId inner_out = inner.AddValue("inner_out", kVector);
  inner.AddNode(MakeNode("inner", "Relu", {captured}, {inner_out}));
  inner.outputs = {inner_out};

  Graph graph;
  const ValueId x = graph.AddValue("x", kVector);
  const ValueId y = graph.AddValue("y", kVector);
  const ValueId condition = graph.AddValue("condition", Type::Tensor(DataType::kBool, {}));
  const ValueId z = graph.AddValue("z", kVector);
  graph.inputs = {x, condition};
  graph.AddNode(MakeNode("copy", "Identity", {x}, {y}));
  inner.captures = {{x, captured}};
  Node branch = MakeNode("branch", "If", {condition}, {z});
  branch.attributes = {{"then_branch", GraphAttribute(inner)},
                       {"else_branch", GraphAttribute(inner)}};
  const NodeId id = graph.AddNode(branch);
  graph.outputs = {z};
  ASSERT_TRUE(Verify(graph).ok());
  EXPECT_EQ(graph.Reads(id), (std::vector<ValueId>{condition, x}));

  graph.ReplaceUses(x, y);
  EXPECT_EQ(graph.Reads(id), (std::vector<ValueId>{condition, y}));
}

TEST(Graph, ErasedNodesLeaveTheOrderAndTheirOutputs) {
  Graph graph;
  const ValueId x = graph.AddValue("x", kVector);
  const ValueId y = graph.AddValue("y", kVector);
  graph.inputs = {x};
  const NodeId id = graph.AddNode(MakeNode("node", "Relu", {x}, {y}));
  graph.outputs = {x};
  graph.EraseNodes({id});
  EXPECT_TRUE(graph.order.empty());
  EXPECT_FALSE(graph.value(y).producer.valid());
  graph.outputs = {y};
  EXPECT_FALSE(Verify(graph).ok());
}

}  // namespace
}  // namespace opass::ir
