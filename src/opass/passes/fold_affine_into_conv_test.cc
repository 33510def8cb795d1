#include "opass/passes/testing/execute.h"

namespace opass::passes {
namespace {

using testing::ExpectPass;
using testing::ExpectUnchanged;
using testing::Graph;
using testing::Weight;

constexpr const char* kPass = "fold_affine_into_conv";

TEST(FoldAffineIntoConv, ScaleAndShiftBehind) {
  const char* io = "(float[1,1,2,2] x) => (float[1,2,2,2] y)";
  ExpectPass(kPass,
             Graph(io, "float[2,1,1,1] w = {1, 2}, float[2] b = {3, 4}, float[1,2,1,1] s = {2, 8}",
                   "c = Conv(x, w, b)\n[Mul_1] y = Mul(c, s)"),
             Graph(io, "float[2,1,1,1] w_1 = {2, 16}, float[2] b_1 = {6, 32}",
                   "[Mul_1] y = Conv(x, w_1, b_1)"));
  ExpectPass(kPass,
             Graph(io, "float[2,1,1,1] w = {1, 2}, float[2,1,1] s = {0.5, 1}",
                   "c = Conv(x, w)\n[Sub_1] y = Sub(c, s)"),
             Graph(io, "float[2,1,1,1] w_1 = {1, 2}, float[2] Conv_0_bias = {-0.5, -1}",
                   "[Sub_1] y = Conv(x, w_1, Conv_0_bias)"));
}

TEST(FoldAffineIntoConv, InFront) {
  const char* io = "(float[1,2,2,2] x) => (float[1,1,2,2] y)";
  const std::string weights = "float[1,2,1,1] w = {1, 2}";
  ExpectPass(
      kPass,
      Graph(io, weights + ", float[2,1,1] s = {0.5, 4}", "m = Mul(s, x)\n[Conv_1] y = Conv(m, w)"),
      Graph(io, "float[1,2,1,1] w_1 = {0.5, 8}", "[Conv_1] y = Conv(x, w_1)"));
  ExpectPass(
      kPass,
      Graph(io, weights + ", float[2,1,1] s = {0.5, 4}", "m = Add(s, x)\n[Conv_1] y = Conv(m, w)"),
      Graph(io, "float[1,2,1,1] w_1 = {1, 2}, float[1] Conv_1_bias = {8.5}",
            "[Conv_1] y = Conv(x, w_1, Conv_1_bias)"));
}

// Groups and transposed convolutions: which channel each weight belongs to shows in the results.
TEST(FoldAffineIntoConv, EveryKindOfConvolution) {
  OPASS_SKIP_WITHOUT_ORT();
  const std::string norm = ", " + Weight("g", {6}) + ", " + Weight("h", {6}) + ", " +
                           Weight("m", {6}) + ", float[6] v = {1, 2, 3, 0.5, 0.25, 4}";
  const std::string io = "(float[2,4,5,5] x) => (float[2,6,n,n] y)";
  const std::vector<std::string> graphs = {
      Graph(io, Weight("w", {6, 4, 3, 3}) + norm,
            "c = Conv <pads = [1, 1, 1, 1]> (x, w)\ny = BatchNormalization(c, g, h, m, v)"),
      Graph(io, Weight("w", {6, 2, 3, 3}) + ", " + Weight("b", {6}) + norm,
            "c = Conv <group = 2> (x, w, b)\ny = BatchNormalization(c, g, h, m, v)"),
      Graph(io, Weight("w", {4, 3, 2, 2}) + ", " + Weight("b", {6}) + norm,
            "c = ConvTranspose <group = 2> (x, w, b)\ny = BatchNormalization(c, g, h, m, v)"),
      Graph(io, Weight("w", {4, 6, 2, 2}) + norm,
            "c = ConvTranspose <strides = [2, 2]> (x, w)\n"
            "y = BatchNormalization(c, g, h, m, v)"),
      Graph(io, Weight("w", {6, 2, 3, 3}) + ", " + Weight("s", {4, 1, 1}),
            "c = Add(x, s)\ny = Conv <group = 2> (c, w)"),
      Graph(io, Weight("w", {6, 2, 3, 3}) + ", float two = {3}",
            "c = Div(x, two)\ny = Conv <group = 2, pads = [1, 1, 1, 1]> (c, w)"),
  };
  for (const std::string& text : graphs) {
    SCOPED_TRACE(text);
    const ir::Model original = testing::Model(text);
    ir::Model model = original;
    const auto result = RunPass(*FindPass(kPass), model, {});
    ASSERT_TRUE(result.ok());
    EXPECT_EQ(result->num_changes, 1);
    EXPECT_EQ(model.graph.order.size(), 1u);
    testing::ExpectRightTypes(model);
    testing::ExpectSameResults(original, model, Exactness::kReassociates);
  }
}

TEST(FoldAffineIntoConv, NothingThatWouldChangeTheResult) {
  const char* io = "(float[1,2,4,4] x) => (float[1,2,4,4] y, float[1,2,4,4] z)";
  const std::string constants = Weight("w", {2, 2, 3, 3}) + ", float[2,1,1] s = {0.5, 4}, " +
                                "float[4] columns = {1, 2, 3, 4}, float none = {0}";
  for (const char* body : {
           // Pads stay zero.
           "m = Add(x, s)\ny = Conv <pads = [1, 1, 1, 1]> (m, w)\nz = Relu(x)",
           // Somebody else reads the value between, or the weights.
           "c = Conv <pads = [1, 1, 1, 1]> (x, w)\ny = Mul(c, s)\nz = Relu(c)",
           "c = Conv <pads = [1, 1, 1, 1]> (x, w)\ny = Mul(c, s)\n"
           "z = Conv <pads = [1, 1, 1, 1]> (x, w)",
           // Not one number a channel; not a number.
           "c = Conv <pads = [1, 1, 1, 1]> (x, w)\ny = Mul(c, columns)\nz = Relu(x)",
           "c = Conv <pads = [1, 1, 1, 1]> (x, w)\ny = Div(c, none)\nz = Relu(x)",
           "c = Conv <pads = [1, 1, 1, 1]> (x, w)\ny = Div(s, c)\nz = Relu(x)",
           "c = Conv <pads = [1, 1, 1, 1]> (x, w)\ny = Sub(s, c)\nz = Relu(x)",
       }) {
    SCOPED_TRACE(body);
    ExpectUnchanged(kPass, Graph(io, constants, body));
  }
}

}  // namespace
}  // namespace opass::passes
