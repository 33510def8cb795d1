#include "opass/passes/testing/golden.h"

namespace opass::passes {
namespace {

using testing::ExpectRewrite;
using testing::ExpectUnchanged;

TEST(EliminateDead, RemovesChainsThatNobodyReads) {
  const PassResult result = ExpectRewrite("eliminate_dead", R"(
    <ir_version: 8, opset_import: ["": 17]>
    g (float[4] x) => (float[4] y) {
      y = Relu(x)
      a = Tanh(x)
      b = Exp(a)
    })",
                                          R"(
    <ir_version: 8, opset_import: ["": 17]>
    g (float[4] x) => (float[4] y) {
      y = Relu(x)
    })");
  EXPECT_EQ(result.num_changes, 2);
}

TEST(EliminateDead, LeavesOutOptionalOutputsAndKeepsTheOthers) {
  ExpectRewrite("eliminate_dead", R"(
    <ir_version: 8, opset_import: ["": 17]>
    g (float[1,1,4,4] x) => (float[1,1,2,2] y) {
      y, indices = MaxPool <kernel_shape = [2, 2], strides = [2, 2]> (x)
    })",
                R"(
    <ir_version: 8, opset_import: ["": 17]>
    g (float[1,1,4,4] x) => (float[1,1,2,2] y) {
      y = MaxPool <kernel_shape = [2, 2], strides = [2, 2]> (x)
    })");
  // The outputs of a Split are not optional: each says how the input is cut.
  ExpectUnchanged("eliminate_dead", R"(
    <ir_version: 8, opset_import: ["": 17]>
    g (float[4] x) => (float[2] y) {
      y, rest = Split (x)
    })");
}

TEST(EliminateDead, RemovesConstantsWithoutReaders) {
  ExpectRewrite("eliminate_dead", R"(
    <ir_version: 8, opset_import: ["": 17]>
    g (float[2] x) => (float[2] y)
    <float[2] used = {1, 2}, float[2] unused = {3, 4}> {
      y = Add(x, used)
    })",
                R"(
    <ir_version: 8, opset_import: ["": 17]>
    g (float[2] x) => (float[2] y)
    <float[2] used = {1, 2}> {
      y = Add(x, used)
    })");
}

TEST(EliminateDead, CleansSubgraphsAndWhatTheyCaptured) {
  ExpectRewrite("eliminate_dead", R"(
    <ir_version: 8, opset_import: ["": 17]>
    g (bool c, float[4] x) => (float[4] y) {
      t = Tanh(x)
      y = If (c) <
        then_branch = a () => (float[4] p) { p = Relu(x)
                                             q = Exp(t) },
        else_branch = b () => (float[4] r) { r = Neg(x) }
      >
    })",
                R"(
    <ir_version: 8, opset_import: ["": 17]>
    g (bool c, float[4] x) => (float[4] y) {
      y = If (c) <
        then_branch = a () => (float[4] p) { p = Relu(x) },
        else_branch = b () => (float[4] r) { r = Neg(x) }
      >
    })");
}

TEST(EliminateDead, OutputsThatMakeABatchNormalizationTrainStay) {
  ExpectUnchanged("eliminate_dead", R"(
    <ir_version: 4, opset_import: ["": 9]>
    g (float[2,3,4] x) => (float[2,3,4] y)
    <float[3] s = {1, 2, 3}, float[3] b = {0, 0, 0}> {
      y, m, v, sm, sv = BatchNormalization(x, s, b, b, s)
    })");
}

}  // namespace
}  // namespace opass::passes
