// merge_common_subexpressions, duplicate_cheap, recompute_cheap, cut_shape_only_uses.
#include "opass/passes/testing/execute.h"

namespace opass::passes {
namespace {

using testing::ExpectPass;
using testing::ExpectUnchanged;
using testing::Graph;
using testing::Weight;

constexpr const char* kMerge = "merge_common_subexpressions";

TEST(MergeCommonSubexpressions, EqualNodesAndEqualConstants) {
  const char* io = "(float[2,3] x) => (float[2,3] y)";
  ExpectPass(kMerge,
             Graph(io, "float c = {2}, float d = {2}",
                   "[a] a = Mul(x, c)\n[b] b = Mul(x, d)\n[e] e = Tanh(a)\n[f] f = Tanh(b)\n"
                   "[o] y = Add(e, f)"),
             Graph(io, "float c = {2}", "[a] a = Mul(x, c)\n[e] e = Tanh(a)\n[o] y = Add(e, e)"),
             2);
}

TEST(MergeCommonSubexpressions, DifferencesThatMatter) {
  const char* io = "(float[2,2] x, float c = {2}) => (float[2,2] y, float[2,2] z)";
  for (const char* body : {
           "a = Mul(x, c)\nb = Mul(x, d)\ny = Tanh(a)\nz = Relu(b)",  // one may be replaced
           "a = Mul(x, d)\nb = Mul(x, e)\ny = Tanh(a)\nz = Relu(b)",
           "a = Sub(x, d)\nb = Sub(d, x)\ny = Tanh(a)\nz = Relu(b)",
           "a = LeakyRelu <alpha = 0.5> (x)\nb = LeakyRelu(x)\ny = Tanh(a)\nz = Relu(b)",
           "y = Tanh(x)\nz = Tanh(x)",  // two outputs
           "a = RandomNormalLike(x)\nb = RandomNormalLike(x)\ny = Tanh(a)\nz = Relu(b)",
       }) {
    ExpectUnchanged(kMerge, Graph(io, "float d = {2}, float e = {3}", body));
  }
}

TEST(DuplicateCheap, EveryReaderGetsItsOwn) {
  const char* io = "(float[2,3] x) => (float[2,3] y, float[2,3] z)";
  ExpectPass(
      "duplicate_cheap", Graph(io, "", "[r] r = Relu(x)\n[a] y = Tanh(r)\n[b] z = Neg(r)"),
      Graph(io, "", "[r] r = Relu(x)\n[a] y = Tanh(r)\n[Relu] r_1 = Relu(x)\n[b] z = Neg(r_1)"));
  // An output lives to the end, its copy need not.
  const char* output = "(float[2,3] x) => (float[2,3] r, float[2,3] z)";
  ExpectPass("duplicate_cheap", Graph(output, "", "[r] r = Relu(x)\n[b] z = Neg(r)"),
             Graph(output, "", "[r] r = Relu(x)\n[Relu] r_1 = Relu(x)\n[b] z = Neg(r_1)"));
  ExpectUnchanged("duplicate_cheap", Graph(io, "", "r = Softmax(x)\ny = Tanh(r)\nz = Neg(r)"));
}

TEST(DuplicateCheap, ABodyThatReadsTheValueIsAReader) {
  const auto graph = [](const std::string& copy, const std::string& read) {
    return Graph("(float[2] x, bool c) => (float[2] y, float[2] z)", "",
                 "[r] r = Relu(x)\n[a] y = Tanh(r)\n" + copy +
                     "[i] z = If(c) <then_branch = t () => (float[2] p) { [p] p = Neg(" + read +
                     ") }, else_branch = e () => (float[2] q) { [q] q = Abs(x) }>");
  };
  EXPECT_EQ(testing::ExpectRewrite("duplicate_cheap", graph("", "r"),
                                   graph("[Relu] r_1 = Relu(x)\n", "r_1"))
                .num_changes,
            1);
}

TEST(DuplicateCheap, MergingUndoesIt) {
  const std::string text = Graph("(float[2,3] x) => (float[2,3] y, float[2,3] z)", "",
                                 "r = Exp(x)\ny = Tanh(r)\nz = Neg(r)");
  ir::Model model = testing::Model(text);
  EXPECT_EQ(RunPass(*FindPass("duplicate_cheap"), model, {})->num_changes, 1);
  EXPECT_EQ(RunPass(*FindPass(kMerge), model, {})->num_changes, 1);
  EXPECT_EQ(testing::Text(model), testing::Text(testing::Model(text)));
}

TEST(DuplicateCheap, CopiesOfCopiesEnd) {
  std::string body = "v0 = Relu(x)\n";
  for (int i = 0; i < 60; ++i) {
    body += fmt::format("a{0} = Neg(v{0})\nb{0} = Abs(v{0})\nv{1} = Add(a{0}, b{0})\n", i, i + 1);
  }
  ir::Model model =
      testing::Model(Graph("(float[2] x) => (float[2] y)", "", body + "y = Relu(v60)"));
  const std::size_t before = model.graph.order.size();
  ASSERT_TRUE(RunPass(*FindPass("duplicate_cheap"), model, {}).ok());
  EXPECT_TRUE(ir::Verify(model.graph).ok());
  EXPECT_LE(model.graph.order.size(), 2 * before + 128);
}

const std::string kScales = "float[4] s = {1, 1, 2, 2}";

TEST(RecomputeCheap, AChainForALateReader) {
  const char* io = "(float[1,1,4,4] x) => (float[1,1,8,8] y)";
  ExpectPass("recompute_cheap",
             Graph(io, kScales,
                   "[e] e = Relu(x)\n[r] r = Resize(e, , s)\n[a] a = Softmax(r)\n"
                   "[y] y = Add(a, r)"),
             Graph(io, kScales,
                   "[e] e = Relu(x)\n[r] r = Resize(e, , s)\n[a] a = Softmax(r)\n"
                   "[Resize] r_1 = Resize(e, , s)\n[y] y = Add(a, r_1)"));
  // A large value out of a small one out of a large one: the chain stops at the small one.
  const char* down = "(float[1,1,16,16] x) => (float[1,1,16,16] y)";
  const std::string small = "[m] m = MaxPool <kernel_shape = [4, 4], strides = [4, 4]> (x)\n";
  const std::string scales = "float[4] s = {1, 1, 4, 4}";
  ExpectPass(
      "recompute_cheap",
      Graph(down, scales, small + "[r] r = Resize(m, , s)\n[a] a = Softmax(r)\n[y] y = Add(a, r)"),
      Graph(down, scales,
            small + "[r] r = Resize(m, , s)\n[a] a = Softmax(r)\n"
                    "[Resize] r_1 = Resize(m, , s)\n[y] y = Add(a, r_1)"));
}

TEST(RecomputeCheap, TwoOperatorsTogether) {
  // x is read at the end anyway: copying both costs no memory, the Resize alone would keep e.
  const char* io = "(float[1,1,8,8] x) => (float[1,1,8,8] y)";
  const std::string body = "[e] e = Exp(x)\n[r] r = Neg(e)\n[a] a = Softmax(r)\n";
  ExpectPass("recompute_cheap", Graph(io, "", body + "[b] b = Add(a, r)\n[y] y = Mul(b, x)"),
             Graph(io, "",
                   body + "[Exp] e_1 = Exp(x)\n[Neg] r_1 = Neg(e_1)\n[b] b = Add(a, r_1)\n"
                          "[y] y = Mul(b, x)"));
}

TEST(RecomputeCheap, NotWhatSavesNothing) {
  ExpectUnchanged("recompute_cheap", Graph("(float[2,8] x) => (float[2,8] y)", "",
                                           "e = Neg(x)\na = Softmax(e)\ny = Add(a, e)"));
  ExpectUnchanged("recompute_cheap",
                  Graph("(float[1,1,4,4] x) => (float[1,1,8,8] r, float[1,1,8,8] y)", kScales,
                        "r = Resize(x, , s)\na = Softmax(r)\ny = Add(a, r)"));
}

constexpr const char* kCut = "cut_shape_only_uses";

TEST(CutShapeOnlyUses, Types) {
  const char* io = "(float[2,3] x, float[4] z) => (float[4] y)";
  const std::string before = "[i] i = Cast <to = 6> (z)\n";
  ExpectPass(kCut, Graph(io, "", before + "[t] t = Tanh(x)\n[c] y = CastLike(i, t)"),
             Graph(io, "", before + "[c] y = Cast <to = 1> (i)"));
}

TEST(CutShapeOnlyUses, Shapes) {
  const char* io = "(float[2,3] x) => (float[2,3] y)";
  ExpectPass(
      kCut, Graph(io, "", "[t] t = Tanh(x)\n[e] y = EyeLike(t)"),
      Graph(io, "int64[2] t_shape = {2, 3}",
            "[ConstantOfShape] y_zeros = ConstantOfShape(t_shape)\n[e] y = EyeLike(y_zeros)"));
  const char* flat = "(float[2,3] x, float[6] z) => (float[2,3] y)";
  ExpectPass(kCut, Graph(flat, "", "[t] t = Tanh(x)\n[s] s = Shape(t)\n[r] y = Reshape(z, s)"),
             Graph(flat, "int64[2] s = {2, 3}", "[r] y = Reshape(z, s)"));
  const char* size = "(float[2,3] x, float[6] z) => (float[6] y)";
  ExpectPass(kCut,
             Graph(size, "",
                   "[t] t = Tanh(x)\n[s] s = Size(t)\n[c] c = Cast <to = 1> (s)\n"
                   "[m] y = Mul(z, c)"),
             Graph(size, "int64 s = {6}", "[c] c = Cast <to = 1> (s)\n[m] y = Mul(z, c)"));
}

TEST(CutShapeOnlyUses, UnknownShapesAndOutputsStay) {
  ExpectUnchanged(kCut, Graph("(float[n,3] x) => (int64[2] y)", "", "y = Shape(x)"));
  ExpectUnchanged(kCut, Graph("(float[2,3] x) => (int64[2] y)", "", "y = Shape(x)"));
  ExpectUnchanged(kCut, Graph("(float[n,3] x) => (float[n,3] y)", "", "y = EyeLike(x)"));
}

}  // namespace
}  // namespace opass::passes
