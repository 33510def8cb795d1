#include "opass/passes/testing/golden.h"

namespace opass::passes {
namespace {

using testing::ExpectRewrite;
using testing::ExpectUnchanged;

TEST(FoldConstants, ShapeChainsVanish) {
  ExpectRewrite("fold_constants", R"(
    <ir_version: 8, opset_import: ["": 17]>
    g (float[2,3,4] x) => (float[2,12] y)
    <int64[1] zero = {0}, int64[1] rest = {-1}> {
      s = Shape(x)
      n = Gather(s, zero)
      t = Concat <axis = 0> (n, rest)
      y = Reshape(x, t)
    })",
                R"(
    <ir_version: 8, opset_import: ["": 17]>
    g (float[2,3,4] x) => (float[2,12] y)
    <int64[1] zero = {0}, int64[1] rest = {-1}, int64[2] t = {2, -1}> {
      y = Reshape(x, t)
    })");
}

TEST(FoldConstants, ShapeHonoursStartAndEnd) {
  ExpectRewrite("fold_constants", R"(
    <ir_version: 8, opset_import: ["": 17]>
    g (float[2,3,4] x, int64[1] i) => (int64[1] y, int64[1] z) {
      s = Shape <start = -2, end = 9> (x)
      y = Gather(s, i)
      n = Size(x)
      z = Add(n, i)
    })",
                R"(
    <ir_version: 8, opset_import: ["": 17]>
    g (float[2,3,4] x, int64[1] i) => (int64[1] y, int64[1] z)
    <int64[2] s = {3, 4}, int64 n = {24}> {
      y = Gather(s, i)
      z = Add(n, i)
    })");
}

constexpr const char* kExpanding = R"(
    <ir_version: 8, opset_import: ["": 17]>
    g (float[1024] x) => (float[1024] y)
    <int64[1] length = {1024}> {
      w = ConstantOfShape(length)
      y = Add(x, w)
    })";

TEST(FoldConstants, StoredWeightsDoNotGrowUnasked) {
  const PassResult result = ExpectRewrite("fold_constants", kExpanding, kExpanding);
  ASSERT_EQ(result.notes.size(), 1u);
  EXPECT_NE(result.notes[0].find("4088 B"), std::string::npos) << result.notes[0];  // 4096 - 8
}

TEST(FoldConstants, StoredWeightsGrowWhenAsked) {
  ir::Model model = testing::Model(kExpanding);
  PassOptions options;
  options.fold_growth_bytes = 4088;
  const auto result = FindPass("fold_constants")->run(model, options);
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(result->num_changes, 1);
  EXPECT_EQ(model.graph.order.size(), 1u);
  options.fold_growth_bytes = 4087;
  ir::Model again = testing::Model(kExpanding);
  EXPECT_EQ(FindPass("fold_constants")->run(again, options)->num_changes, 0);
}

TEST(FoldConstants, AConstantThatOnlyMovesIsFolded) {
  ir::Model model = testing::Model(R"(
    <ir_version: 8, opset_import: ["": 17]>
    g (float[2] x) => (float[2] y)
    <float[2,2] w = {1, 2, 3, 4}> {
      t = Transpose(w)
      y = MatMul(x, t)
    })");
  ASSERT_TRUE(FindPass("fold_constants")->run(model, {}).ok());
  ASSERT_EQ(model.graph.order.size(), 1u);
  const auto t = model.graph.FindValue("t");
  EXPECT_EQ(*ir::AsDoubles(*model.graph.value(*t).constant), (std::vector<double>{1, 3, 2, 4}));
}

TEST(FoldConstants, SmallWeightsAreNotDequantizedUnasked) {
  // 32 bytes of int8 would become 128 bytes of float: nothing for one, much for a hundred.
  ExpectUnchanged("fold_constants", R"(
    <ir_version: 8, opset_import: ["": 17]>
    g (float[32] x) => (float[32] y)
    <int8[32] w = {1, 2, 3, 4, 5, 6, 7, 8, 1, 2, 3, 4, 5, 6, 7, 8, 1, 2, 3, 4, 5, 6, 7, 8, 1, 2, 3,
                   4, 5, 6, 7, 8}, float scale = {0.5}> {
      d = DequantizeLinear(w, scale)
      y = Add(x, d)
    })");
}

TEST(FoldConstants, SubgraphsAreFoldedWithWhatOnlyTheyRead) {
  ir::Model model = testing::Model(R"(
    <ir_version: 8, opset_import: ["": 17]>
    g (bool c, float[2] x) => (float[2] y)
    <float[2,2] w = {1, 2, 3, 4}> {
      y = If (c) <
        then_branch = a () => (float[2] p) { t = Transpose(w)
                                             p = MatMul(x, t) },
        else_branch = b () => (float[2] r) { r = Neg(x) }
      >
    })");
  ASSERT_TRUE(FindPass("fold_constants")->run(model, {}).ok());
  EXPECT_TRUE(ir::Verify(model.graph).ok());
  EXPECT_EQ(model.graph.value(*model.graph.FindValue("w")).constant, nullptr);
  const ir::Node& node = model.graph.node(model.graph.order[0]);
  const ir::Graph& branch = *std::get<ir::GraphAttribute>(node.attributes[0].value);
  ASSERT_EQ(branch.order.size(), 1u);
  EXPECT_EQ(branch.node(branch.order[0]).op_type, "MatMul");
}

TEST(FoldConstants, RandomAndOverridableValuesStay) {
  ExpectUnchanged("fold_constants", R"(
    <ir_version: 8, opset_import: ["": 17]>
    g (float[2] x) => (float[2] y) {
      r = RandomNormal <shape = [2]> ()
      y = Add(x, r)
    })");
  ExpectUnchanged("fold_constants", R"(
    <ir_version: 8, opset_import: ["": 17]>
    g (float[2] x, float[2] w = {1, 2}) => (float[2] y) {
      t = Neg(w)
      y = Add(x, t)
    })");
}

TEST(FoldConstants, ResultsOfUnknownSizeCountAsWeightsToo) {
  ir::Model model = testing::Model(R"(
    <ir_version: 8, opset_import: ["": 17]>
    g (float[2000] x) => (float[a,b] y)
    <float w = {1}> {
      n = Constant <value = int64[1] {2000}> ()
      ones = ConstantOfShape <value = bool[1] {1}> (n)
      at = NonZero (ones)
      y = Gather (x, at)
    })");
  ASSERT_TRUE(FindPass("fold_constants")->run(model, {}).ok());
  EXPECT_EQ(model.graph.order.size(), 3u);  // 16 kB of indices instead of 8 bytes
  ASSERT_TRUE(FindPass("fold_constants")->run(model, {.fold_growth_bytes = 16000}).ok());
  EXPECT_EQ(model.graph.order.size(), 1u);
}

}  // namespace
}  // namespace opass::passes
