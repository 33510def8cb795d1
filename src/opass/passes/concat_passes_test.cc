// sink_concat_below_elementwise, split_conv_over_concat, sink_monotone_below_pool.
#include "opass/passes/testing/execute.h"

namespace opass::passes {
namespace {

using testing::ExpectPass;
using testing::ExpectUnchanged;
using testing::Graph;
using testing::Weight;

constexpr const char* kSink = "sink_concat_below_elementwise";
constexpr const char* kSplit = "split_conv_over_concat";
constexpr const char* kPool = "sink_monotone_below_pool";

TEST(SinkConcatBelowElementwise, UnaryOperators) {
  const char* io = "(float[1,2,3] a, float[1,4,3] b) => (float[1,6,3] y)";
  ExpectPass(kSink, Graph(io, "", "c = Concat <axis = -2> (a, b)\n[f] y = Sigmoid(c)"),
             Graph(io, "",
                   "[Sigmoid] y_part = Sigmoid(a)\n[Sigmoid_1] y_part_1 = Sigmoid(b)\n"
                   "[f] y = Concat <axis = 1> (y_part, y_part_1)"));
}

TEST(SinkConcatBelowElementwise, ConstantsAreCutAlongTheAxis) {
  const char* io = "(float[1,1,3] a, float[1,2,3] b) => (float[1,3,3] y)";
  ExpectPass(
      kSink,
      Graph(io, "float[3,1] s = {1, 2, 3}", "c = Concat <axis = 1> (a, b)\n[f] y = Sub(s, c)"),
      Graph(io, "float[1,1] s_1 = {1}, float[2,1] s_2 = {2, 3}",
            "[Sub] y_part = Sub(s_1, a)\n[Sub_1] y_part_1 = Sub(s_2, b)\n"
            "[f] y = Concat <axis = 1> (y_part, y_part_1)"));
  const char* columns = "float[1,3] s = {1, 2, 3}";
  ExpectPass(kSink, Graph(io, columns, "c = Concat <axis = 1> (a, b)\n[f] y = Mul(c, s)"),
             Graph(io, columns,
                   "[Mul] y_part = Mul(a, s)\n[Mul_1] y_part_1 = Mul(b, s)\n"
                   "[f] y = Concat <axis = 1> (y_part, y_part_1)"));
}

TEST(SinkConcatBelowElementwise, BatchNormalization) {
  const char* io = "(float[1,1,2,2] a, float[1,1,2,2] b) => (float[1,2,2,2] y)";
  ExpectPass(kSink,
             Graph(io,
                   "float[2] s = {1, 2}, float[2] h = {3, 4}, float[2] m = {5, 6}, "
                   "float[2] v = {7, 8}",
                   "c = Concat <axis = 1> (a, b)\n[f] y = BatchNormalization(c, s, h, m, v)"),
             Graph(io,
                   "float[1] s_1 = {1}, float[1] h_1 = {3}, float[1] m_1 = {5}, float[1] v_1 = {7},"
                   "float[1] s_2 = {2}, float[1] h_2 = {4}, float[1] m_2 = {6}, float[1] v_2 = {8}",
                   "[BatchNormalization] y_part = BatchNormalization(a, s_1, h_1, m_1, v_1)\n"
                   "[BatchNormalization_1] y_part_1 = BatchNormalization(b, s_2, h_2, m_2, v_2)\n"
                   "[f] y = Concat <axis = 1> (y_part, y_part_1)"));
}

TEST(SinkConcatBelowElementwise, NotWhereOthersReadOrPlacesDiffer) {
  const char* io =
      "(float[1,2,3] a, float[1,2,3] b, float[1,4,3] d) => "
      "(float[1,4,3] y, float[1,4,3] z)";
  for (const char* body : {"c = Concat <axis = 1> (a, b)\ny = Relu(c)\nz = Tanh(c)",
                           "z = Concat <axis = 1> (a, b)\ny = Relu(z)",
                           "c = Concat <axis = 1> (a, b)\ny = Softmax <axis = 1> (c)\nz = Relu(d)",
                           "c = Concat <axis = 1> (a, b)\ny = Add(c, d)\nz = Relu(d)"}) {
    ExpectUnchanged(kSink, Graph(io, "", body));
  }
}

TEST(SplitConvOverConcat, ASumOfParts) {
  const char* io = "(float[1,1,2,2] a, float[1,2,2,2] b) => (float[1,1,2,2] y)";
  ExpectPass(kSplit,
             Graph(io, "float[1,3,1,1] w = {1, 2, 3}, float[1] bias = {4}",
                   "c = Concat <axis = 1> (a, b)\n[o] y = Conv(c, w, bias)"),
             Graph(io, "float[1] bias = {4}, float[1,1,1,1] w_1 = {1}, float[1,2,1,1] w_2 = {2, 3}",
                   "[Conv] y_part = Conv(a, w_1, bias)\n[Conv_1] y_part_1 = Conv(b, w_2)\n"
                   "[o] y = Add(y_part, y_part_1)"));
}

TEST(SplitConvOverConcat, ThreePartsAndTwoReaders) {
  OPASS_SKIP_WITHOUT_ORT();
  const ir::Model before = testing::Model(
      Graph("(float[1,1,4,4] a, float[1,2,4,4] b, float[1,3,4,4] d) => (float[1,2,4,4] y, "
            "float[1,3,2,2] z)",
            Weight("w", {2, 6, 3, 3}) + ", " + Weight("v", {3, 6, 3, 3}) + ", " + Weight("b1", {2}),
            "c = Concat <axis = 1> (a, b, d)\ny = Conv <pads = [1, 1, 1, 1]> (c, w, b1)\n"
            "z = Conv(c, v)"));
  ir::Model after = before;
  EXPECT_EQ(RunPass(*FindPass(kSplit), after, {})->num_changes, 2);
  EXPECT_EQ(after.graph.order.size(), 10u);
  testing::ExpectRightTypes(after);
  testing::ExpectSameResults(before, after, Exactness::kReassociates);
}

TEST(SplitConvOverConcat, NotWhereTheConcatIsNeededAnyway) {
  const char* io = "(float[1,1,4,4] a, float[1,1,4,4] b) => (float[1,2,4,4] y, float[1,2,4,4] z)";
  const std::string w = Weight("w", {2, 2, 1, 1}) + ", " + Weight("v", {2, 1, 1, 1});
  for (const char* body : {"c = Concat <axis = 1> (a, b)\ny = Conv(c, w)\nz = Relu(c)",
                           "z = Concat <axis = 1> (a, b)\ny = Conv(z, w)",
                           "c = Concat <axis = 1> (a, b)\ny = Conv(c, w)\nz = Conv(c, w)",
                           "c = Concat <axis = 1> (a, b)\nd = Conv <group = 2> (c, v)\n"
                           "y = Relu(d)\nz = Tanh(d)"}) {
    ExpectUnchanged(kSplit, Graph(io, w, body));
  }
}

TEST(SinkMonotoneBelowPool, ReluClipAndLeakyRelu) {
  const char* io = "(float[1,2,6,6] x) => (float[1,2,a,b] y)";
  const std::string limits = "float low = {-0.5}, float high = {0.25}";
  for (const char* function : {"Relu(%)", "LeakyRelu <alpha = 0.5> (%)", "Clip(%, low, high)"}) {
    const auto call = [&](const std::string& argument) {
      std::string text = function;
      return text.replace(text.find('%'), 1, argument);
    };
    const std::string name = call("").substr(0, call("").find_first_of(" ("));
    for (const char* pool :
         {"MaxPool <kernel_shape = [3, 3], strides = [2, 2], pads = [1, 1, 1, 1]> ",
          "GlobalMaxPool"}) {
      const std::string op = std::string(pool).substr(0, std::string(pool).find(' '));
      const bool has_limits = name == "Clip";
      ExpectPass(
          kPool,
          Graph(io, has_limits ? limits : "", "r = " + call("x") + "\n[p] y = " + pool + "(r)"),
          Graph(io, has_limits ? limits : "",
                "[" + op + "] y_before = " + pool + "(x)\n[p] y = " + call("y_before")));
    }
  }
}

TEST(SinkMonotoneBelowPool, NothingThatFallsOrIsReadElsewhere) {
  const char* io = "(float[1,2,6,6] x, float h) => (float[1,2,a,b] y, float[n,m,o,p] z)";
  const std::string limits = "float low = {-0.5}, float high = {0.25}";
  const std::string pool = "MaxPool <kernel_shape = [2, 2]> (r)\nz = Tanh(x)";
  for (const std::string& body : {
           "r = Sigmoid(x)\ny = " + pool,
           "r = LeakyRelu <alpha = -0.5> (x)\ny = " + pool,
           "r = Clip(x, high, low)\ny = " + pool,
           "r = Clip(x, low, h)\ny = " + pool,
           std::string("r = Relu(x)\ny = MaxPool <kernel_shape = [2, 2]> (r)\nz = Tanh(r)"),
           std::string("r = Relu(x)\ny = MaxPool <kernel_shape = [2, 2], ceil_mode = 1> (r)\n"
                       "z = Tanh(x)"),
           std::string("r = Relu(x)\ny = MaxPool <kernel_shape = [2, 2], dilations = [2, 2]> (r)\n"
                       "z = Tanh(x)"),
           std::string("r = Relu(x)\ny = AveragePool <kernel_shape = [2, 2]> (r)\nz = Tanh(x)"),
       }) {
    ExpectUnchanged(kPool, Graph(io, limits, body));
  }
}

}  // namespace
}  // namespace opass::passes
