#include "opass/frontends/onnx/bind.h"

#include <gtest/gtest.h>

#include "opass/frontends/onnx/parse_bindings.h"
#include "opass/onnx/text.h"

namespace opass::frontends {
namespace {

constexpr const char* kModel = R"(
  <ir_version: 10, opset_import: ["": 21, "com.example": 1]>
  g (float[N, 3, H, H] "in/x:0", int64[N] ids, float[?, 2] free, float[4] fixed)
    => (float[N, 3] y, float[N, 7] u) <float[1, 3, 9, 9] a, float[N, 7] b> {
  a = Relu("in/x:0")  r = ReduceMean <keepdims = 0> (a, axes)  y = Identity(r)
  b = com.example.Thing(ids)  u = Identity(b)
  axes = Constant <value_ints = [2, 3]> () })";

ir::Model Model() {
  auto model = onnxlib::ParseText(kModel);
  EXPECT_TRUE(model.ok()) << model.error().ToString();
  return *std::move(model);
}

std::string TypeOf(const ir::Model& model, std::string_view name) {
  return model.graph.value(*model.graph.FindValue(name)).type.ToString();
}

void ExpectBad(const ShapeBindings& bindings, const std::string& part) {
  ir::Model model = Model();
  const Status status = Bind(model, bindings);
  ASSERT_FALSE(status.ok()) << part;
  EXPECT_EQ(status.error().code, ErrorCode::kInvalidInput);
  EXPECT_EQ(status.error().reason, "bad-binding");
  EXPECT_NE(status.error().ToString().find(part), std::string::npos) << status.error().ToString();
}

TEST(ParseBindings, Shapes) {
  for (const char* text : {"a=b:0=1,3,224", "a=b:0=1x3x224"}) {
    const auto shape = ParseNamedShape(text);
    ASSERT_TRUE(shape.ok());
    EXPECT_EQ(shape->name, "a=b:0");
    EXPECT_EQ(shape->dims, (std::vector<std::int64_t>{1, 3, 224}));
  }
  EXPECT_EQ(ParseNamedShape("x=5")->dims, (std::vector<std::int64_t>{5}));
  EXPECT_TRUE(ParseNamedShape("x=")->dims.empty());
  for (const char* text : {"", "x", "=1", "x=1,", "x=,1", "x=1,a", "x=-1", "x=1x2,3", "x=1,,2",
                           "x=99999999999999999999"}) {
    EXPECT_EQ(ParseNamedShape(text).error().reason, "bad-binding") << text;
  }
}

TEST(ParseBindings, Dims) {
  EXPECT_EQ(ParseNamedDim("batch=4")->value, 4);
  EXPECT_EQ(ParseNamedDim("N<=128")->symbol, "N");
  EXPECT_EQ(ParseNamedDim("N<=128")->value, 128);
  EXPECT_EQ(ParseNamedDim("a=b=2")->symbol, "a=b");
  for (const char* text : {"", "N", "=1", "<=1", "N=", "N<1", "N=x", "N=-1", "N=1.5"}) {
    EXPECT_EQ(ParseNamedDim(text).error().reason, "bad-binding") << text;
  }
}

TEST(Bind, ASymbolIsReplacedEverywhere) {
  ir::Model model = Model();
  ASSERT_TRUE(Bind(model, {{}, {"N=2", "H<=8"}}).ok());
  EXPECT_EQ(TypeOf(model, "in/x:0"), "float32[2,3,8,8]");
  EXPECT_EQ(TypeOf(model, "ids"), "int64[2]");
  EXPECT_EQ(TypeOf(model, "b"), "float32[2,7]");  // nobody can infer this one: it stays
}

TEST(Bind, AShapeBindsItsSymbolsForOthersToo) {
  ir::Model model = Model();
  ASSERT_TRUE(Bind(model, {{"in/x:0=2x3x8x8", "free=5,2"}, {}}).ok());
  EXPECT_EQ(TypeOf(model, "ids"), "int64[2]");
  EXPECT_EQ(TypeOf(model, "free"), "float32[5,2]");
}

TEST(Bind, SizesThatInferenceFindsAnewAreForgotten) {
  ir::Model model = Model();
  EXPECT_EQ(TypeOf(model, "a"), "float32[1,3,9,9]");
  ASSERT_TRUE(Bind(model, {{}, {"N=2"}}).ok());
  EXPECT_EQ(TypeOf(model, "a"), "float32[?,?,?,?]");
  EXPECT_EQ(TypeOf(model, "y"), "float32[?,?]");
}

TEST(Bind, NothingBoundChangesNothing) {
  ir::Model model = Model();
  ASSERT_TRUE(Bind(model, {}).ok());
  ASSERT_TRUE(Bind(model, {{"fixed=4"}, {}}).ok());
  EXPECT_EQ(TypeOf(model, "a"), "float32[1,3,9,9]");
}

TEST(Bind, WrongUses) {
  ExpectBad({{"x=1"}, {}}, "its inputs: in/x:0, ids, free, fixed");
  ExpectBad({{"y=1,3"}, {}}, "no input 'y'");
  ExpectBad({{}, {"M=1"}}, "its dimensions: H, N");
  ExpectBad({{"ids=1,1"}, {}}, "2 dimensions given where the input has 1");
  ExpectBad({{"fixed=5"}, {}}, "dimension 0 is 4 in the model, not 5");
  ExpectBad({{"free=1,3"}, {}}, "dimension 1 is 2 in the model, not 3");
  ExpectBad({{"ids=1", "ids=1"}, {}}, "given twice");
  ExpectBad({{"ids=1"}, {"N=2"}}, "'N' would be 2 and 1");
  ExpectBad({{"in/x:0=1,3,8,9"}, {}}, "'H' would be 8 and 9");
  ExpectBad({{}, {"N=1", "N=2"}}, "'N' would be 1 and 2");
  ExpectBad({{"nonsense"}, {}}, "like --shape");
  ExpectBad({{}, {"nonsense"}}, "like --dim");
}

TEST(Bind, InputsThatAreNoTensorsOrHaveNoRank) {
  auto model = onnxlib::ParseText("g (seq(float[2]) q, float[] any) => (n) { n = Shape(any) }");
  ASSERT_TRUE(model.ok()) << model.error().ToString();
  EXPECT_EQ(Bind(*model, {{"q=1"}, {}}).error().reason, "bad-binding");
  ASSERT_TRUE(Bind(*model, {{"any=1,2"}, {}}).ok());
  EXPECT_EQ(TypeOf(*model, "any"), "float32[1,2]");
  EXPECT_NE(Bind(*model, {{}, {"N=1"}}).error().hint.find("use --shape"), std::string::npos);
}

TEST(RequireStaticInputs, ListsWhatIsUnknownAndTheFlags) {
  ir::Model model = Model();
  const Status status = RequireStaticInputs(model);
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().reason, "unknown-dimensions");
  EXPECT_EQ(status.error().message,
            "dimensions of inputs are unknown: 'in/x:0' float32[N,3,H,H] (dimension 0 (N), 2 (H), "
            "3 (H)); 'ids' int64[N] (dimension 0 (N)); 'free' float32[?,2] (dimension 0)");
  EXPECT_EQ(status.error().hint,
            "say their sizes, for example --dim 'H=1' --dim 'N=1' --shape 'free=1,2'");
  ASSERT_TRUE(Bind(model, {{"free=1,2"}, {"N=1", "H=4"}}).ok());
  EXPECT_TRUE(RequireStaticInputs(model).ok());
}

}  // namespace
}  // namespace opass::frontends
