#include "opass/onnx/text.h"

#include "opass/onnx/test_models.h"

namespace opass::onnxlib {
namespace {

constexpr const char* kModel = R"(
  <ir_version: 10, opset_import: ["": 21, "com.example": 1], producer_name: "p">
  "a graph" (bool c, float[2, N] x, seq(float[2]) q) => (float[2, N] z)
    <float[2, 1] w = {1.5, -2}, string[1] s = {"say \"hi\""}, float16[2] h = {15360, 0}> {
  ["odd/name:0"] a = Add(x, w)
  [e] "u.1", "" = com.example.Thing <i = 1, f = 0.1, ss = ["a"]> (a, "", s, h, q)
  [i] z = If (c) <then_branch = t () => (float[2, N] o) { o = Neg("u.1") },
                  else_branch = e () => (float[2, N] o) { o = Exp(a) }> })";

TEST(Text, PrintsWhatItParses) {
  const ir::Model model = ModelFromText(kModel);
  const std::string text = PrintText(model);
  const auto again = ParseText(text);
  ASSERT_TRUE(again.ok()) << again.error().ToString() << text;
  EXPECT_EQ(PrintText(*again), text);
  EXPECT_EQ(again->graph.node(again->graph.order[0]).name, "odd/name:0");
  EXPECT_TRUE(ir::SameContent(*ValueNamed(again->graph, "h").constant,
                              *ValueNamed(model.graph, "h").constant));
}

TEST(Text, AHeaderMayBeLeftOut) {
  const ir::Model model = ModelFromText("g (float[2] x) => (float[2] y) { y = Neg(x) }");
  EXPECT_EQ(model.ir_version, 10);
  EXPECT_EQ(model.opset(), 21);
}

TEST(Text, LargeConstantsAreOnlyDeclaredUnlessAsked) {
  ir::Model model = ModelFromText("g (float[100] x) => (float[100] y) { y = Add(x, x) }");
  model.graph.node(model.graph.order[0]).inputs[1] =
      model.graph.AddConstant("w", ir::Tensor::FromFloats({100}, std::vector<float>(100, 0.5F)));
  EXPECT_NE(PrintText(model).find("<float[100] w>"), std::string::npos) << PrintText(model);
  TextOptions all;
  all.max_elements = -1;
  const auto again = ParseText(PrintText(model, all));
  ASSERT_TRUE(again.ok()) << again.error().ToString();
  EXPECT_EQ(ValueNamed(again->graph, "w").constant->num_elements(), 100);
}

TEST(Text, InnerTypesOnRequest) {
  const ir::Model model =
      ModelFromText("g (float[2] x) => (float[2] z) <float[2] y> { y = Neg(x) z = Neg(y) }");
  EXPECT_NE(PrintText(model).find("float[2] y"), std::string::npos);
  TextOptions brief;
  brief.value_types = false;
  EXPECT_EQ(PrintText(model, brief).find("float[2] y"), std::string::npos);
}

TEST(Text, ErrorsNameTheLine) {
  const auto model = ParseText("g (float[2] x) =>\n (float[2] y) { y = }");
  ASSERT_FALSE(model.ok());
  EXPECT_EQ(model.error().reason, "malformed-file");
  EXPECT_NE(model.error().message.find("line: 2"), std::string::npos) << model.error().message;
}

}  // namespace
}  // namespace opass::onnxlib
