#include "opass/ir/float16.h"
#include "opass/passes/half_constants.h"
#include "opass/passes/testing/execute.h"

namespace opass::passes {
namespace {

using testing::Graph;
using testing::Weight;

ir::Model Converted(const std::string& text, int num_changes) {
  ir::Model model = testing::Model(text);
  const auto result = RunPass(*FindPass("convert_to_float16"), model, {});
  EXPECT_TRUE(result.ok());
  EXPECT_EQ(result->num_changes, num_changes) << testing::Text(model);
  EXPECT_TRUE(ir::Verify(model.graph).ok());
  return model;
}

std::string TypeOf(const ir::Model& model, const std::string& value) {
  const auto id = model.graph.FindValue(value);
  return id ? model.graph.value(*id).type.ToString() : "none";
}

std::size_t CountOf(const ir::Model& model, const std::string& op_type) {
  return static_cast<std::size_t>(std::ranges::count_if(
      model.graph.order, [&](ir::NodeId id) { return model.graph.node(id).Is(op_type); }));
}

// Outputs keep their types and are close; a second run changes nothing.
void ExpectClose(const std::string& text, int num_changes, double bound = 2e-3) {
  OPASS_SKIP_WITHOUT_ORT();
  const ir::Model original = testing::Model(text);
  ir::Model model = Converted(text, num_changes);
  testing::ExpectRightTypes(model);
  std::vector<std::string> outputs;
  for (const ir::ValueId id : original.graph.outputs) {
    outputs.push_back(original.graph.value(id).name);
    EXPECT_EQ(TypeOf(model, outputs.back()), TypeOf(original, outputs.back()));
  }
  const auto inputs = testing::RandomInputs(original.graph, 1);
  const auto ours = ort::Evaluate(original, inputs, {.fetch = outputs});
  const auto theirs = ort::Evaluate(model, inputs, {.fetch = outputs});
  ASSERT_TRUE(ours.ok()) << ours.error().ToString();
  ASSERT_TRUE(theirs.ok()) << theirs.error().ToString() << testing::Text(model);
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    EXPECT_LE(testing::RelativeDifference(*(*ours)[i], *(*theirs)[i]), bound) << outputs[i];
  }
  const auto again = RunPass(*FindPass("convert_to_float16"), model, {});
  ASSERT_TRUE(again.ok());
  EXPECT_EQ(again->num_changes, 0) << testing::Text(model);
}

constexpr const char* kIo = "(float[2,8] x) => (float[2,8] y)";

TEST(ConvertToFloat16, InputsAndOutputsKeepTheirTypes) {
  const std::string text = Graph("(float[1,2,6,6] x) => (float[1,3,4,4] y)",
                                 Weight("w", {3, 2, 3, 3}), "c = Conv(x, w)\ny = Relu(c)");
  const ir::Model model = Converted(text, 2);
  EXPECT_EQ(TypeOf(model, "x"), "float32[1,2,6,6]");
  EXPECT_EQ(TypeOf(model, "c_float16"), "float16[1,3,4,4]");
  EXPECT_EQ(TypeOf(model, "w_float16"), "float16[3,2,3,3]");
  EXPECT_EQ(CountOf(model, "Cast"), 2);
  ExpectClose(text, 2);
}

TEST(ConvertToFloat16, AnOutputThatIsReadInsideIsReadInFloat16) {
  ExpectClose(
      Graph("(float[2,8] x) => (float[2,8] y, float[2,8] z)", "", "y = Sigmoid(x)\nz = Tanh(y)"),
      2);
}

TEST(ConvertToFloat16, OneNodeAloneStays) { Converted(Graph(kIo, "", "y = Relu(x)"), 0); }

TEST(ConvertToFloat16, OperatorsThatFloat16DoesNotServeStay) {
  const std::string text =
      Graph(kIo, "int64 axis = {1}",
            "a = Relu(x)\nb = Tanh(a)\nc = CumSum(b, axis)\nd = Sigmoid(c)\ny = Mul(d, a)");
  const ir::Model model = Converted(text, 4);
  EXPECT_EQ(TypeOf(model, "c"), "float32[2,8]");
  ExpectClose(text, 4);
}

TEST(ConvertToFloat16, OperandsOfOneTypeParameterChangeTogether) {
  ExpectClose(Graph("(float[2,8] x, float[2,8] u) => (float[2,16] y)", "float zero = {0}",
                    "a = Relu(x)\nm = Greater(a, zero)\nb = Where(m, a, u)\ny = "
                    "Concat<axis = 1>(a, b)"),
              4);
}

TEST(ConvertToFloat16, AMaskStaysFinite) {
  ExpectClose(Graph(kIo, "float low = {-3.4e38}, float zero = {0}",
                    "a = Tanh(x)\nm = Less(a, zero)\nb = Where(m, low, a)\ny = Softmax(b)"),
              4);
}

TEST(ConvertToFloat16, AnOperatorWithAConstantOutOfRangeStays) {
  const std::string text =
      Graph(kIo, "float big = {100000}", "a = Tanh(x)\nb = Relu(a)\nc = Mul(b, big)\ny = Neg(c)");
  EXPECT_EQ(TypeOf(Converted(text, 2), "c"), "float32[2,8]");
  ExpectClose(text, 2);
}

TEST(ConvertToFloat16, AnEpsilonStays) {
  const std::string text =
      Graph(kIo, "float eps = {1e-12}", "a = Relu(x)\nb = Abs(a)\nc = Add(b, eps)\ny = Sqrt(c)");
  EXPECT_EQ(TypeOf(Converted(text, 2), "c"), "float32[2,8]");
  ExpectClose(text, 2);
}

TEST(ConvertToFloat16, ASharedConstantIsConvertedOnce) {
  const ir::Model model =
      Converted(Graph(kIo, Weight("w", {8}), "a = Mul(x, w)\nb = Add(a, w)\ny = Sub(b, w)"), 3);
  EXPECT_EQ(TypeOf(model, "w_float16"), "float16[8]");
  EXPECT_EQ(TypeOf(model, "w_float16_1"), "none");
}

TEST(HalfConstants, FiniteElementsStayFinite) {
  const ir::TensorPtr half =
      ToFloat16(*ir::Tensor::FromFloats({4}, {-1e9F, 70000, INFINITY, 0.5F}));
  EXPECT_EQ(*ir::AsDoubles(*half), (std::vector<double>{-65504, 65504, INFINITY, 0.5}));
}

TEST(HalfConstants, OnlyWhatNobodyMeansMayBeOutOfRange) {
  ir::Node node;
  node.op_type = "Add";
  EXPECT_TRUE(FitsFloat16(node, *ir::Tensor::FromFloats({2}, {-1e9F, 0})));
  EXPECT_FALSE(FitsFloat16(node, *ir::Tensor::FromFloats({2}, {-1e5F, 0})));
  EXPECT_FALSE(FitsFloat16(node, *ir::Tensor::FromFloats({2}, {1e-9F, 0})));
  EXPECT_TRUE(FitsFloat16(node, *ir::Tensor::FromFloats({2}, {1e-9F, 1})));
  EXPECT_TRUE(FitsFloat16(node, *ir::Tensor::FromFloats({0}, {})));
  node.op_type = "MatMul";
  EXPECT_FALSE(FitsFloat16(node, *ir::Tensor::FromFloats({2}, {-1e9F, 0})));
}

}  // namespace
}  // namespace opass::passes
