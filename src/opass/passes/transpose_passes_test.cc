// cancel_transposes, push_transposes, merge_reshapes, fuse_transpose_into_matmul,
// reassociate_matmul.
#include "opass/passes/testing/execute.h"

namespace opass::passes {
namespace {

using testing::ExpectPass;
using testing::ExpectUnchanged;
using testing::Graph;
using testing::Weight;

TEST(CancelTransposes, APairThatCancels) {
  const char* io = "(float[2,3,4] x) => (float[2,3,4] y)";
  ExpectPass("cancel_transposes",
             Graph(io, "",
                   "a = Transpose <perm = [1, 2, 0]> (x)\nb = Transpose <perm = [2, 0, 1]> (a)\n"
                   "[last] y = Relu(b)"),
             Graph(io, "", "[last] y = Relu(x)"));
}

TEST(CancelTransposes, APairThatDoesNot) {
  ExpectPass("cancel_transposes",
             Graph("(float[2,3,4] x) => (float[a,b,c] y)", "",
                   "a = Transpose <perm = [1, 2, 0]> (x)\n[t] y = Transpose(a)"),
             Graph("(float[2,3,4] x) => (float[a,b,c] y)", "",
                   "[t] y = Transpose <perm = [0, 2, 1]> (x)"));
}

TEST(CancelTransposes, OutputsKeepTheirNamesAndReadersTheirTranspose) {
  const char* io = "(float[2,3] x) => (float[2,3] y, float[3,2] z)";
  ExpectPass("cancel_transposes",
             Graph(io, "", "[a] a = Transpose(x)\n[b] y = Transpose(a)\n[c] z = Relu(a)"),
             Graph(io, "", "[a] a = Transpose(x)\n[b] y = Identity(x)\n[c] z = Relu(a)"));
}

TEST(MergeReshapes, TwoThatUndoEachOther) {
  const char* io = "(float[2,6] x) => (float[2,6] y)";
  const char* shapes = "int64[2] s = {3, 4}, int64[2] t = {2, -1}";
  ExpectPass("merge_reshapes",
             Graph(io, shapes,
                   "a = Reshape(x, s)\nb = Relu(a)\nc = Tanh(b)\nd = Reshape(c, t)\n"
                   "[last] y = Neg(d)"),
             Graph(io, "",
                   "[Relu] b_before = Relu(x)\n[Tanh] c_before = Tanh(b_before)\n"
                   "[last] y = Neg(c_before)"));
}

TEST(MergeReshapes, TheSecondOneStaysWhereItMust) {
  const char* io = "(float[2,6] x) => (float[4,3] y, float[3,4] z)";
  const char* shapes = "int64[2] s = {3, 4}, int64[2] u = {-1, 3}";
  ExpectPass("merge_reshapes",
             Graph(io, shapes, "[a] a = Reshape(x, s)\n[r] y = Reshape(a, u)\n[z] z = Relu(a)"),
             Graph(io, "int64[2] s = {3, 4}, int64[2] y_shape = {4, 3}",
                   "[a] a = Reshape(x, s)\n[r] y = Reshape(x, y_shape)\n[z] z = Relu(a)"));
}

TEST(MergeReshapes, NotWhereItWouldChangeSomething) {
  const char* io = "(float[2,6] x, float[3,4] v) => (float[2,6] y, float[3,4] z)";
  const char* shapes = "int64[2] s = {3, 4}, int64[2] t = {2, 6}";
  for (const char* body : {
           "a = Reshape(x, s)\nz = Relu(a)\ny = Reshape(z, t)",               // an output
           "a = Reshape(x, s)\nb = Relu(a)\nz = Tanh(b)\ny = Reshape(b, t)",  // two readers
           "a = Reshape(x, s)\nb = Add(a, v)\nz = Relu(v)\ny = Reshape(b, t)",
           "a = Reshape(x, s)\nb = Softmax(a)\nz = Relu(v)\ny = Reshape(b, t)",
       }) {
    ExpectUnchanged("merge_reshapes", Graph(io, shapes, body));
  }
}

TEST(PushTransposes, BehindAUnaryOperator) {
  const char* io = "(float[2,3,4] x) => (float[4,2,3] y)";
  ExpectPass("push_transposes",
             Graph(io, "", "a = Transpose <perm = [2, 0, 1]> (x)\n[s] y = Sigmoid(a)"),
             Graph(io, "",
                   "[Sigmoid] y_before = Sigmoid(x)\n[s] y = Transpose <perm = [2, 0, 1]> "
                   "(y_before)"));
}

TEST(PushTransposes, BehindTwoOperandsAndConstants) {
  const char* io = "(float[2,3,4] x, float[2,1,4] z) => (float[4,2,3] y)";
  ExpectPass(
      "push_transposes",
      Graph(io, "",
            "a = Transpose <perm = [2, 0, 1]> (x)\nb = Transpose <perm = [2, 0, 1]> (z)\n"
            "[s] y = Add(a, b)"),
      Graph(io, "", "[Add] y_before = Add(x, z)\n[s] y = Transpose <perm = [2, 0, 1]> (y_before)"));
  const char* one = "(float[2,3] x) => (float[3,2] y)";
  ExpectPass("push_transposes",
             Graph(one, "float[1,2] c = {1, 2}", "a = Transpose(x)\n[s] y = Sub(c, a)"),
             Graph(one, "float[2,1] c_1 = {1, 2}",
                   "[Sub] y_before = Sub(c_1, x)\n[s] y = Transpose <perm = [1, 0]> (y_before)"));
}

TEST(PushTransposes, TheAxisOfAConcatFollows) {
  const char* io = "(float[2,3,4] x, float[2,3,5] z) => (float[9,2,3] y)";
  ExpectPass("push_transposes",
             Graph(io, "",
                   "a = Transpose <perm = [2, 0, 1]> (x)\nb = Transpose <perm = [2, 0, 1]> (z)\n"
                   "[s] y = Concat <axis = -3> (a, b)"),
             Graph(io, "",
                   "[Concat] y_before = Concat <axis = 2> (x, z)\n"
                   "[s] y = Transpose <perm = [2, 0, 1]> (y_before)"));
}

TEST(PushTransposes, NotWhereItWouldChangeSomething) {
  const char* io = "(float[2,2] x, float[2,2] z) => (float[2,2] y, float[2,2] w)";
  for (const char* body : {
           "a = Transpose(x)\ny = Relu(a)\nw = Tanh(a)",    // two readers
           "a = Transpose(x)\ny = Add(a, z)\nw = Relu(x)",  // one operand is as it was
           "a = Transpose(x)\ny = Softmax(a)\nw = Relu(x)",
           "w = Transpose(x)\ny = Relu(w)",  // an output
       }) {
    ExpectUnchanged("push_transposes", Graph(io, "", body));
  }
}

constexpr const char* kFuse = "fuse_transpose_into_matmul";

TEST(FuseTransposeIntoMatmul, InFrontOfBothOperands) {
  const char* io = "(float[3,2] x, float[4,3] z) => (float[2,4] y)";
  ExpectPass(kFuse, Graph(io, "", "a = Transpose(x)\nb = Transpose(z)\n[m] y = MatMul(a, b)"),
             Graph(io, "", "[m] y = Gemm <transA = 1, transB = 1> (x, z)"));
  ExpectPass(kFuse,
             Graph(io, "float[4] c = {1, 2, 3, 4}",
                   "b = Transpose(z)\n[m] y = Gemm <transA = 1, alpha = 2.0> (x, b, c)"),
             Graph(io, "float[4] c = {1, 2, 3, 4}",
                   "[m] y = Gemm <transA = 1, alpha = 2.0, transB = 1> (x, z, c)"));
}

TEST(FuseTransposeIntoMatmul, Behind) {
  const char* io = "(float[2,3] x, float[3,4] z) => (float[4,2] y)";
  ExpectPass(kFuse, Graph(io, "", "a = MatMul(x, z)\n[t] y = Transpose(a)"),
             Graph(io, "", "[t] y = Gemm <transA = 1, transB = 1> (z, x)"));
}

TEST(FuseTransposeIntoMatmul, MatricesOnly) {
  ExpectUnchanged(kFuse, Graph("(float[5,2,3] x, float[5,4,3] z) => (float[5,2,4] y)", "",
                               "b = Transpose <perm = [0, 2, 1]> (z)\ny = MatMul(x, b)"));
  ExpectUnchanged(kFuse, Graph("(float[2,3] x, float[3,4] z) => (float[4,2] y, float[2,4] w)", "",
                               "a = MatMul(x, z)\ny = Transpose(a)\nw = Relu(a)"));
}

TEST(ReassociateMatmul, TheCheaperOrder) {
  const char* io = "(float[8,2] a, float[2,8] b, float[8,3] v) => (float[8,3] y)";
  ExpectPass("reassociate_matmul", Graph(io, "", "m = MatMul(a, b)\n[o] y = MatMul(m, v)"),
             Graph(io, "", "[MatMul] y_inner = MatMul(b, v)\n[o] y = MatMul(a, y_inner)"));
  const char* other = "(float[3,8] a, float[8,2] b, float[2,8] v) => (float[3,8] y)";
  ExpectPass("reassociate_matmul", Graph(other, "", "m = MatMul(b, v)\n[o] y = MatMul(a, m)"),
             Graph(other, "", "[MatMul] y_inner = MatMul(a, b)\n[o] y = MatMul(y_inner, v)"));
}

TEST(ReassociateMatmul, TransposedOperands) {
  const char* io = "(float[8,2] a, float[8,2] b, float[8,3] v) => (float[8,3] y)";
  ExpectPass(
      "reassociate_matmul",
      Graph(io, "", "m = Gemm <transB = 1> (b, a)\n[o] y = Gemm <transA = 1> (m, v)"),
      Graph(io, "", "[Gemm] y_inner = Gemm <transA = 1> (b, v)\n[o] y = MatMul(a, y_inner)"));
}

TEST(ReassociateMatmul, NotWhereItCostsMoreOrSomebodyReads) {
  const char* io = "(float[8,2] a, float[2,8] b, float[8,99] v) => (float[8,99] y)";
  ExpectUnchanged("reassociate_matmul", Graph(io, "", "n = MatMul(b, v)\ny = MatMul(a, n)"));
  ExpectUnchanged("reassociate_matmul",
                  Graph("(float[8,2] a, float[2,8] b, float[8,3] v) => (float[8,3] y, "
                        "float[8,8] m)",
                        "", "m = MatMul(a, b)\ny = MatMul(m, v)"));
}

}  // namespace
}  // namespace opass::passes
