#include "opass/passes/runner.h"
#include "opass/passes/testing/golden.h"

namespace opass::passes {
namespace {

using testing::ExpectRewrite;
using testing::ExpectUnchanged;

std::string WithCondition(const std::string& condition, const std::string& declared = "") {
  return R"(<ir_version: 8, opset_import: ["": 17]>
    g (float[4] x)" +
         declared + R"() => (float[4] z)
    <)" + condition +
         R"(> {
      t = Tanh(x)
      y = If (c) <
        then_branch = a () => (float[4] p) { q = Relu(t)
                                             p = Exp(q) },
        else_branch = b () => (float[4] r) { r = Neg(x) }
      >
      z = Abs(y)
    })";
}

TEST(InlineConstantIf, TheTakenBranchReplacesTheNode) {
  ExpectRewrite("inline_constant_if", WithCondition("bool c = {1}"), R"(
    <ir_version: 8, opset_import: ["": 17]>
    g (float[4] x) => (float[4] z) <bool c = {1}> {
      t = Tanh(x)
      [Relu_0_1] q_1 = Relu(t)
      [Exp_0_1] p_1 = Exp(q_1)
      z = Abs(p_1)
    })");
  ExpectRewrite("inline_constant_if", WithCondition("bool c = {0}"), R"(
    <ir_version: 8, opset_import: ["": 17]>
    g (float[4] x) => (float[4] z) <bool c = {0}> {
      t = Tanh(x)
      [Neg_0_1] r_1 = Neg(x)
      z = Abs(r_1)
    })");
}

TEST(InlineConstantIf, OtherConditionsStay) {
  ExpectUnchanged("inline_constant_if", WithCondition("float[1] u = {1}", ", bool c"));
  ExpectUnchanged("inline_constant_if", WithCondition("float[1] u = {1}", ", bool c = {1}"));
}

TEST(InlineConstantIf, AGraphOutputKeepsItsName) {
  ir::Model model = testing::Model(R"(
    <ir_version: 8, opset_import: ["": 17]>
    g (float[4] x) => (float[4] y) <bool c = {1}> {
      y = If (c) <
        then_branch = a () => (float[4] p) { p = Relu(x) },
        else_branch = b () => (float[4] r) { r = Neg(x) }
      >
    })");
  ASSERT_TRUE(RunPasses(model, CleanUpPasses(), {}).ok());
  ASSERT_EQ(model.graph.order.size(), 1u);
  EXPECT_EQ(model.graph.node(model.graph.order[0]).op_type, "Relu");
  EXPECT_EQ(model.graph.value(model.graph.outputs[0]).name, "y");
}

TEST(InlineConstantIf, NestedIfsDissolveFromTheInside) {
  ir::Model model = testing::Model(R"(
    <ir_version: 8, opset_import: ["": 17]>
    g (float[4] x) => (float[4] z) <bool c = {1}> {
      y = If (c) <
        then_branch = a () => (float[4] p) {
          p = If (c) <
            then_branch = a2 () => (float[4] u) { u = Relu(x) },
            else_branch = b2 () => (float[4] v) { v = Exp(x) }
          >
        },
        else_branch = b () => (float[4] r) { r = Neg(x) }
      >
      z = Abs(y)
    })");
  ASSERT_TRUE(RunPasses(model, CleanUpPasses(), {}).ok());
  EXPECT_TRUE(ir::Verify(model.graph).ok());
  ASSERT_EQ(model.graph.order.size(), 2u);
  EXPECT_EQ(model.graph.node(model.graph.order[0]).op_type, "Relu");
}

// Branches in different scopes may have the same names; what they become may not, where one scope
// is inside the other.
TEST(InlineConstantIf, NewNamesShadowNoneInAnotherScope) {
  ExpectRewrite("inline_constant_if", R"(
    <ir_version: 8, opset_import: ["": 17]>
    g (float[2] x, int64 n, bool c) => (float[2] y, float[2] z)
    <bool t = {1}> {
      z = Loop (n, c, x) <
        body = b (int64 i, bool ci, float[2] s) => (bool co, float[2] so) <bool u = {1}> {
          co = Not(ci)
          r = If (u) <
            then_branch = a1 () => (float[2] p) { p = Relu(s) },
            else_branch = b1 () => (float[2] q) { q = Neg(s) }
          >
          so = Exp(r)
        }
      >
      v = If (t) <
        then_branch = a2 () => (float[2] p) { p = Tanh(x) },
        else_branch = b2 () => (float[2] q) { q = Neg(x) }
      >
      y = Abs(v)
    })",
                R"(
    <ir_version: 8, opset_import: ["": 17]>
    g (float[2] x, int64 n, bool c) => (float[2] y, float[2] z)
    <bool t = {1}> {
      z = Loop (n, c, x) <
        body = b (int64 i, bool ci, float[2] s) => (bool co, float[2] so) <bool u = {1}> {
          co = Not(ci)
          [Relu_0_1] p_1 = Relu(s)
          so = Exp(p_1)
        }
      >
      [Tanh_0_1] p_2 = Tanh(x)
      y = Abs(p_2)
    })");
}

}  // namespace
}  // namespace opass::passes
