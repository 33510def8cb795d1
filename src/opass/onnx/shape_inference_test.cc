#include "opass/onnx/shape_inference.h"

#include "opass/onnx/test_models.h"

namespace opass::onnxlib {
namespace {

std::string TypeOf(const ir::Model& model, std::string_view value) {
  return ValueNamed(model.graph, value).type.ToString();
}

TEST(InferTypes, FollowsShapeData) {
  ir::Model model = ModelFromText(R"(g (float[2, 3, 4] x) => (float[A, B] z) <int64[1] m = {-1},
      int64[1] zero = {0}, int64[1] one = {1}, int64[1] minus = {-1}> {
    s = Shape(x)  first = Slice(s, zero, one)  shape = Concat <axis = 0> (first, minus)
    z = Reshape(x, shape) })");
  ASSERT_TRUE(InferTypes(model).ok());
  EXPECT_EQ(TypeOf(model, "shape"), "int64[2]");
  EXPECT_EQ(TypeOf(model, "z"), "float32[2,12]");
}

TEST(InferTypes, ReachesSubgraphs) {
  ir::Model model = ModelFromText(R"(g (bool c, float[2, 3] x) => (float[2, 3] z) {
    y = Abs(x)
    z = If (c) <then_branch = t () => (o) { p = Neg(y)  o = Exp(p) },
                else_branch = e () => (o) { o = Exp(y) }> })");
  ASSERT_TRUE(InferTypes(model).ok());
  const ir::Node& node = model.graph.node(model.graph.order[1]);
  const ir::Graph& branch = *std::get<ir::GraphAttribute>(node.attributes[0].value);
  EXPECT_EQ(branch.value(*branch.FindValue("p")).type.ToString(), "float32[2,3]");
  EXPECT_EQ(branch.value(branch.captures[0].inner).type.ToString(), "float32[2,3]");
}

TEST(InferTypes, LargeWeightsAreNotNeededAlsoInSubgraphs) {
  ir::Model model = ModelFromText(R"(g (bool c, float[1, 1024] x) => (z) {
    z = If (c) <then_branch = t () => (o) { o = Mul(x, x) },
                else_branch = e () => (o) { o = Exp(x) }> })");
  ir::Node& node = model.graph.node(model.graph.order[0]);
  ir::Graph& branch = *std::get<ir::GraphAttribute>(node.attributes[0].value);
  branch.node(branch.order[0]).inputs[1] =
      branch.AddConstant("w", ir::Tensor::FromFloats({1, 1024}, std::vector<float>(1024, 1)));
  ASSERT_TRUE(InferTypes(model).ok());
  EXPECT_EQ(TypeOf(model, "z"), "float32[1,1024]");
}

TEST(InferTypes, NeverWeakensWhatIsDeclared) {
  ir::Model model = ModelFromText(R"(
    <ir_version: 10, opset_import: ["": 21, "com.example": 1]>
    g (float[2] x) => (z) <float[2, 5] y> { y = com.example.Thing(x)  z = Relu(y) })");
  ASSERT_TRUE(InferTypes(model).ok());
  EXPECT_EQ(TypeOf(model, "y"), "float32[2,5]");
  EXPECT_EQ(TypeOf(model, "z"), "float32[2,5]");
}

TEST(InferTypes, DeclaredShapesHelpWhereInferenceStops) {
  // The shape comes in at run time; the file says what it will be.
  ir::Model model = ModelFromText(R"(g (float[6] x, int64[2] s) => (z) <float[2, 3] y> {
    y = Reshape(x, s)  z = Relu(y) })");
  ASSERT_TRUE(InferTypes(model).ok());
  EXPECT_EQ(TypeOf(model, "z"), "float32[2,3]");
}

TEST(InferTypes, SymbolsGiveWayToNumbers) {
  ir::Model model = ModelFromText(R"(g (float[2, 3] x) => (float[N, M] z) { z = Relu(x) })");
  ASSERT_TRUE(InferTypes(model).ok());
  EXPECT_EQ(TypeOf(model, "z"), "float32[2,3]");
}

TEST(InferTypes, ContradictionsNameTheValue) {
  for (const char* declared : {"float[2, 4] y", "float[6] y", "int64[2, 3] y"}) {
    ir::Model model = ModelFromText(std::string("g (float[2, 3] x) => (z) <") + declared +
                                    "> { y = Abs(x) z = Exp(x) w = Neg(y) }");
    const Status status = InferTypes(model);
    ASSERT_FALSE(status.ok()) << declared;
    EXPECT_EQ(status.error().reason, "type-mismatch");
    EXPECT_EQ(status.error().where, "value 'y'");
    EXPECT_EQ(status.error().code, ErrorCode::kInvalidInput);
  }
}

TEST(InferTypes, OperandsThatCannotBe) {
  for (const char* text : {"g (float[2, 3] a, float[4, 5] b) => (z) { [bad] z = MatMul(a, b) }",
                           "g (string[2] a) => (z) { [bad] z = Relu(a) }",
                           "g (float[2] a, int64[2] b) => (z) { [bad] z = Add(a, b) }"}) {
    ir::Model model = ModelFromText(text);
    const Status status = InferTypes(model);
    ASSERT_FALSE(status.ok()) << text;
    EXPECT_EQ(status.error().reason, "type-mismatch");
    EXPECT_NE(status.error().message.find("bad"), std::string::npos) << status.error().message;
  }
}

TEST(InferTypes, OperatorsDefinedByAFunctionUseTheirDefaults) {
  ir::Model model =
      ModelFromText("g (float[2, 3, 4, 5] x) => (z) { z = MeanVarianceNormalization(x) }");
  const Status status = InferTypes(model);
  ASSERT_TRUE(status.ok()) << status.error().ToString();
  EXPECT_EQ(TypeOf(model, "z"), "float32[2,3,4,5]");
}

TEST(MergeTypes, TakesTheMorePreciseOfEach) {
  ir::Type declared = ir::Type::Tensor(ir::DataType::kFloat, {1, -1, -1});
  (*declared.shape)[2].symbol = "N";
  ir::Type inferred = ir::Type::Tensor(ir::DataType::kFloat, {-1, 5, -1});
  const auto merged = MergeTypes(declared, inferred, "v");
  ASSERT_TRUE(merged.ok());
  EXPECT_EQ(merged->ToString(), "float32[1,5,N]");
}

// ONNX would refuse one of them, or take the elements of the first branch for those of the second.
TEST(InferTypes, BranchesMayUseTheSameNames) {
  ir::Model model = ModelFromText(R"(<ir_version: 8, opset_import: ["": 17]>
    g (float[6] x, int64[2] s, bool c) => (float[a,b] y) {
      y = If (c) <
        then_branch = t () => (float[n,m] p) {
          k = Constant <value = int64[2] {2, 3}> ()
          z = Add(k, k)
          p = Reshape(x, k)
        },
        else_branch = e () => (float[n,m] q) {
          k = Cast <to = 7> (s)
          z = Add(k, s)
          q = Reshape(x, k)
        }
      >
    })");
  const Status status = InferTypes(model);
  ASSERT_TRUE(status.ok()) << status.error().ToString();
  const ir::Node& node = model.graph.node(model.graph.order[0]);
  const ir::Graph& other = *std::get<ir::GraphAttribute>(node.attributes[1].value);
  EXPECT_EQ(ValueNamed(other, "k").name, "k");
  EXPECT_FALSE(ValueNamed(other, "q").type.StaticDims());
}

}  // namespace
}  // namespace opass::onnxlib
