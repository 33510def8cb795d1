#include "opass/onnx/weights_apart.h"

#include <gtest/gtest.h>

#include "onnx/onnx_pb.h"

namespace opass::onnxlib {
namespace {

TEST(WeightsApartTest, OnlyLargeWeightsThatAreReadStayApart) {
  ir::Model model;
  model.ir_version = 10;
  model.opsets[""] = 21;
  ir::Graph& graph = model.graph;
  const ir::ValueId large =
      graph.AddConstant("large", ir::Tensor::FromFloats({100}, std::vector<float>(100, 1.0F)));
  const ir::ValueId small = graph.AddConstant("small", ir::Tensor::FromFloats({1}, {2}));
  graph.AddConstant("unread", ir::Tensor::FromFloats({100}, std::vector<float>(100, 3.0F)));
  const ir::ValueId sum = graph.AddValue("sum", ir::Type::Tensor(ir::DataType::kFloat, {100}));
  ir::Node node;
  node.op_type = "Add";
  node.name = "add";
  node.inputs = {large, small};
  node.outputs = {sum};
  graph.AddNode(std::move(node));
  graph.outputs = {sum};

  const auto parts = SerializeWeightsApart(model, 400, 4);
  ASSERT_TRUE(parts.ok()) << parts.error().ToString();
  ASSERT_EQ(parts->weights.size(), 1U);
  EXPECT_EQ(parts->weights[0].first, "large");
  EXPECT_EQ(parts->weights[0].second, graph.value(large).constant);
  ::onnx::ModelProto proto;
  ASSERT_TRUE(proto.ParseFromString(parts->bytes));
  ASSERT_EQ(proto.graph().initializer_size(), 2);
  EXPECT_EQ(proto.graph().initializer(0).data_location(), ::onnx::TensorProto::EXTERNAL);
  EXPECT_EQ(proto.graph().initializer(1).raw_data().size(), 4U);
  EXPECT_TRUE(SerializeWeightsApart(model, 401, 4)->weights.empty());
}

}  // namespace
}  // namespace opass::onnxlib
