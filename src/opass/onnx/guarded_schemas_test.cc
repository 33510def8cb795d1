// Models of a few hundred bytes with which ONNX's inference takes all memory or never ends.
#include "opass/onnx/guarded_schemas.h"

#include "opass/onnx/shape_inference.h"
#include "opass/onnx/test_models.h"

namespace opass::onnxlib {
namespace {

TEST(GuardedSchemas, ListsOfAxesThatOnlyInferenceKnowsToBeHuge) {
  for (const char* node : {"Slice(x, t, t)", "Pad(x, t)", "Reshape(x, t)", "Unsqueeze(x, t)",
                           "Tile(x, t)", "ConstantOfShape(t)", "Expand(x, t)"}) {
    ir::Model model = ModelFromText(
        std::string("g (float[2, 3] x, int64[1073741824] s) => (z) { t = Neg(s) z = ") + node +
        " }");
    const Status status = InferTypes(model);
    ASSERT_FALSE(status.ok()) << node;
    EXPECT_EQ(status.error().reason, "type-mismatch");
    EXPECT_NE(status.error().message.find("more entries"), std::string::npos)
        << status.error().message;
  }
}

TEST(GuardedSchemas, ListsOfSaneLengthArePassed) {
  ir::Model model = ModelFromText(
      "g (float[2, 3] x, int64[2] s) => (z) <int64[1] m = {-1}> {"
      "  h = Shape(x) t = Concat <axis = 0> (h, m) y = Reshape(x, m) z = Unsqueeze(y, m) }");
  ASSERT_TRUE(InferTypes(model).ok());
  EXPECT_EQ(ValueNamed(model.graph, "z").type.ToString(), "float32[6,1]");
}

// Steps beyond int are added to one: the loop stands still.
TEST(GuardedSchemas, StepsOfASliceThatNeverArrive) {
  for (const char* step : {"4294967296", "-4294967296", "2147483647"}) {
    ir::Model model = ModelFromText(
        std::string("g (float[2, 3] x) => (z) "
                    "<int64[1] a = {1}, int64[1] b = {-9}, int64[1] c = {0}, int64[1] d = {") +
        step + "}> { s = Shape(x) z = Slice(s, a, b, c, d) }");
    EXPECT_TRUE(InferTypes(model).ok());
  }
}

TEST(GuardedSchemas, ShapeDataThatDoublesWithEveryConcat) {
  std::string text = "g (float[2, 3] x) => (z) { s0 = Shape(x)\n";
  for (int i = 0; i < 36; ++i) {
    const std::string from = "s" + std::to_string(i);
    text += "s" + std::to_string(i + 1) + " = Concat <axis = 0> (" + from + ", " + from + ")\n";
  }
  ir::Model model = ModelFromText(text + "z = Neg(s36) }");
  ASSERT_TRUE(InferTypes(model).ok());
  EXPECT_EQ(ValueNamed(model.graph, "z").type.ToString(), "int64[137438953472]");
}

TEST(GuardedSchemas, ShapeDataMadeUpFromADeclaredType) {
  ir::Model model = ModelFromText("g (int64[1073741824] s) => (z) { z = Add(s, s) }");
  ASSERT_TRUE(InferTypes(model).ok());
  EXPECT_EQ(ValueNamed(model.graph, "z").type.ToString(), "int64[1073741824]");
}

}  // namespace
}  // namespace opass::onnxlib
