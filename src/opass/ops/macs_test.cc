#include "opass/ops/macs.h"

#include <gtest/gtest.h>

#include <limits>

namespace opass::ops {
namespace {

using Dims = std::vector<std::int64_t>;

std::optional<std::int64_t> Count(const std::string& op_type, const std::vector<Dims>& inputs,
                                  const Dims& output, std::vector<ir::Attribute> attributes = {}) {
  ir::Graph graph;
  ir::Node node;
  node.op_type = op_type;
  node.attributes = std::move(attributes);
  for (const Dims& dims : inputs) {
    node.inputs.push_back(
        graph.AddValue(graph.FreshName("in"), ir::Type::Tensor(ir::DataType::kFloat, dims)));
  }
  node.outputs = {graph.AddValue("out", ir::Type::Tensor(ir::DataType::kFloat, output))};
  return MacsOf(graph, node);
}

TEST(Macs, Convolutions) {
  EXPECT_EQ(Count("Conv", {{1, 8, 10, 10}, {16, 8, 3, 3}}, {1, 16, 10, 10}), 16 * 100 * 8 * 9);
  // Depthwise.
  EXPECT_EQ(Count("Conv", {{1, 8, 10, 10}, {8, 1, 3, 3}}, {1, 8, 5, 5}), 8 * 25 * 9);
  EXPECT_EQ(Count("ConvTranspose", {{1, 8, 5, 5}, {8, 4, 2, 2}}, {1, 4, 10, 10}), 8 * 25 * 4 * 4);
  EXPECT_EQ(Count("QLinearConv", {{1, 8, 10, 10}, {}, {}, {16, 8, 1, 1}}, {1, 16, 10, 10}),
            16 * 100 * 8);
}

TEST(Macs, Matrices) {
  EXPECT_EQ(Count("MatMul", {{5, 2, 3}, {3, 4}}, {5, 2, 4}), 5 * 2 * 4 * 3);
  EXPECT_EQ(Count("MatMul", {{3}, {3}}, {}), 3);
  EXPECT_EQ(Count("Gemm", {{2, 3}, {3, 4}}, {2, 4}), 24);
  EXPECT_EQ(Count("Gemm", {{3, 2}, {3, 4}}, {2, 4}, {{"transA", std::int64_t{1}}}), 24);
}

TEST(Macs, OthersAreFreeAndUnknownOnesUnknown) {
  EXPECT_EQ(Count("Add", {{2, 3}, {2, 3}}, {2, 3}), 0);
  EXPECT_EQ(Count("MatMul", {{2, 3}}, {2, 3}), std::nullopt);
  EXPECT_EQ(Count("MatMul", {{}, {}}, {}), std::nullopt);
  EXPECT_EQ(Count("Conv", {{1, 8}, {8}}, {1, 8}), std::nullopt);
  const std::int64_t huge = std::int64_t{1} << 40;
  EXPECT_EQ(Count("MatMul", {{huge, huge}, {huge, huge}}, {huge, huge}), std::nullopt);
}

TEST(Macs, OfAGraphWithItsSubgraphs) {
  ir::Graph graph;
  const ir::Type type = ir::Type::Tensor(ir::DataType::kFloat, {4, 4});
  const auto add_product = [&](ir::Graph& to) {
    ir::Node node;
    node.name = to.FreshName("n");
    node.op_type = "MatMul";
    node.inputs = {to.AddValue(to.FreshName("a"), type), to.AddValue(to.FreshName("b"), type)};
    node.outputs = {to.AddValue(to.FreshName("y"), type)};
    to.AddNode(std::move(node));
  };
  add_product(graph);
  EXPECT_EQ(Macs(graph), 64);
  ir::Graph body;
  add_product(body);
  ir::Node node;
  node.name = "if";
  node.op_type = "If";
  node.attributes = {{"then_branch", ir::GraphAttribute(body)}};
  graph.AddNode(std::move(node));
  EXPECT_EQ(Macs(graph), 128);
}

}  // namespace
}  // namespace opass::ops
