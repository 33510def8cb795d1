#include "opass/passes/testing/execute.h"

namespace opass::passes {
namespace {

using testing::ExpectPass;
using testing::ExpectUnchanged;

constexpr const char* kPass = "fuse_activations";
constexpr const char* kConstants =
    "float[1] zero = {0}, float one = {1}, float two = {2}, float three = {3}, float six = {6}, "
    "float sixth = {0.16666667}, float half = {0.5}, float root = {1.4142135}, "
    "float reciprocal_root = {0.70710677}, float k = {0.7978845608}, float c = {0.044715}, "
    "float a = {1.702}, float s0 = {0}";
constexpr const char* kIo = "(float[3,5] i) => (float[3,5] y)";

std::string Before(const std::string& body, int opset) {
  return testing::Graph(kIo, kConstants, "x = Tanh(i)\n" + body, opset);
}
// Unread constants are gone.
void ExpectFused(const std::string& body, const std::string& fused, int opset) {
  SCOPED_TRACE(body);
  OPASS_SKIP_WITHOUT_ORT();
  const ir::Model original = testing::Model(Before(body, opset));
  ir::Model model = original;
  const auto result = RunPass(*FindPass(kPass), model, {});
  ASSERT_TRUE(result.ok());
  ASSERT_EQ(result->num_changes, 1);
  ASSERT_EQ(model.graph.order.size(), 2u) << testing::Text(model);
  const ir::Node& node = model.graph.node(model.graph.order[1]);
  std::string call = node.op_type;
  if (node.Find("approximate") != nullptr) call += " " + node.StringOr("approximate", "");
  if (node.Find("alpha") != nullptr) call += fmt::format(" {}", node.FloatOr("alpha", 0));
  EXPECT_EQ(call, fused);
  testing::ExpectRightTypes(model);
  testing::ExpectSameResults(original, model, Exactness::kReassociates);
}

TEST(FuseActivations, HardSwish) {
  for (const char* body : {
           "p = Add(x, three)\nq = Clip(p, s0, six)\nr = Mul(x, q)\ny = Div(r, six)",
           "p = Add(three, x)\nq = Clip(p, s0, six)\nr = Div(q, six)\ny = Mul(r, x)",
           "p = Add(x, three)\nq = Clip(p, s0, six)\nr = Mul(sixth, q)\ny = Mul(x, r)",
           "p = HardSigmoid <alpha = 0.16666667> (x)\ny = Mul(x, p)",
       }) {
    ExpectFused(body, "HardSwish", 14);
  }
}

TEST(FuseActivations, GeluInBothForms) {
  for (const char* body : {
           "p = Div(x, root)\nq = Erf(p)\nr = Add(q, one)\ns = Mul(x, r)\ny = Mul(s, half)",
           "p = Mul(x, reciprocal_root)\nq = Erf(p)\nr = Add(one, q)\ns = Mul(half, x)\n"
           "y = Mul(s, r)",
           "p = Div(x, root)\nq = Erf(p)\nr = Add(q, one)\ns = Mul(x, r)\ny = Div(s, two)",
       }) {
    ExpectFused(body, "Gelu", 20);
  }
  for (const char* body : {
           "p = Pow(x, three)\nq = Mul(p, c)\nr = Add(x, q)\ns = Mul(r, k)\nt = Tanh(s)\n"
           "u = Add(t, one)\nv = Mul(x, u)\ny = Mul(v, half)",
           "p = Mul(x, x)\nq = Mul(p, x)\nr = Mul(c, q)\ns = Add(r, x)\nt = Mul(k, s)\n"
           "u = Tanh(t)\nv = Add(one, u)\nw = Mul(v, half)\ny = Mul(w, x)",
           "p = Mul(x, x)\nq = Mul(p, c)\nr = Add(q, one)\ns = Mul(x, k)\nt = Mul(s, r)\n"
           "u = Tanh(t)\nv = Add(u, one)\nw = Mul(x, v)\ny = Mul(w, half)",
       }) {
    ExpectFused(body, "Gelu tanh", 20);
  }
}

TEST(FuseActivations, Swish) {
  ExpectFused("p = Sigmoid(x)\ny = Mul(x, p)", "Swish", 24);
  ExpectFused("p = Mul(x, a)\nq = Sigmoid(p)\ny = Mul(q, x)", "Swish 1.702", 24);
}

TEST(FuseActivations, NotBelowTheOperatorSetThatHasThem) {
  const std::string text = Before("p = Sigmoid(x)\ny = Mul(x, p)", 17);
  ExpectUnchanged(kPass, text);
  ir::Model model = testing::Model(text);
  const auto result = RunPass(*FindPass(kPass), model, {});
  ASSERT_TRUE(result.ok());
  ASSERT_EQ(result->notes.size(), 1u);
  EXPECT_EQ(result->notes[0],
            "not fused: 1 Swish, which need operator set 24 (this is 17): --opset");
}

TEST(FuseActivations, OtherConstantsAndSharedValuesStay) {
  for (const char* body : {
           "p = Add(x, two)\nq = Clip(p, s0, six)\nr = Mul(x, q)\ny = Div(r, six)",
           "p = Add(x, three)\nq = Clip(p, s0, three)\nr = Mul(x, q)\ny = Div(r, six)",
           "p = Add(x, three)\nq = Clip(p, s0, six)\nr = Mul(x, q)\ny = Div(r, three)",
           "p = HardSigmoid(x)\ny = Mul(x, p)",
           "p = Add(i, three)\nq = Clip(p, s0, six)\nr = Mul(x, q)\ny = Div(r, six)",
           "p = Div(x, two)\nq = Erf(p)\nr = Add(q, one)\ns = Mul(x, r)\ny = Mul(s, half)",
           "p = Sigmoid(x)\nq = Mul(x, p)\ny = Add(q, p)",
       }) {
    SCOPED_TRACE(body);
    ExpectUnchanged(kPass, Before(body, 24));
  }
}

TEST(FuseActivations, AChainOfAnyLengthEnds) {
  std::string body = "a0 = Div(x, two)\n";
  for (int i = 0; i < 300; ++i) body += fmt::format("a{} = Div(a{}, two)\n", i + 1, i);
  ExpectUnchanged(kPass, Before(body + "y = Mul(a300, x)", 24));
}

}  // namespace
}  // namespace opass::passes
