#include "opass/passes/testing/execute.h"

namespace opass::passes {
namespace {

using testing::ExpectPass;
using testing::ExpectUnchanged;
using testing::Graph;
using testing::Weight;

constexpr const char* kPass = "hoist_pool_above_linear";
const std::string kWeights = Weight("w", {6, 4, 1, 1}) + ", " + Weight("b", {6});

TEST(HoistPoolAboveLinear, AGateOnAPointwiseConvolution) {
  const char* io = "(float[1,4,5,7] x) => (float[1,6,5,7] y)";
  ExpectPass(kPass,
             Graph(io, kWeights,
                   "c = Conv(x, w, b)\ng = GlobalAveragePool(c)\ns = Sigmoid(g)\ny = Mul(c, s)"),
             Graph(io, kWeights,
                   "[Conv_0] c = Conv(x, w, b)\n"
                   "[GlobalAveragePool] x_mean = GlobalAveragePool(x)\n"
                   "[GlobalAveragePool_0] g = Conv(x_mean, w, b)\ns = Sigmoid(g)\ny = Mul(c, s)"));
}

TEST(HoistPoolAboveLinear, ReduceMeanAndBatchNormalization) {
  const char* io = "(float[2,4,5,7] x) => (float[2,4,1,1] y)";
  const std::string constants =
      "float[4] s = {1, 2, -1, 0.5}, float[4] m = {0, 1, 2, 3}, "
      "float[4] v = {1, 2, 0.5, 4}, float[4] b = {3, 2, 1, 0}";
  const char* before = "n = BatchNormalization(x, s, b, m, v)\ny = ReduceMean <axes = [-1, 2]> (n)";
  ExpectPass(kPass, Graph(io, constants, before),
             Graph(io, constants,
                   "[ReduceMean] x_mean = ReduceMean <axes = [-1, 2]> (x)\n"
                   "[ReduceMean_0] y = BatchNormalization(x_mean, s, b, m, v)"));
}

TEST(HoistPoolAboveLinear, OnlyAboveWhatSeesOnePixel) {
  const auto unchanged = [](const std::string& conv, const std::string& pool) {
    ExpectUnchanged(kPass, Graph("(float[1,4,5,7] x) => (float[n,c,a,b] y)",
                                 Weight("w", {6, 4, 1, 1}) + ", " + Weight("u", {6, 4, 3, 3}),
                                 "c = " + conv + "\ny = " + pool));
  };
  unchanged("Conv <strides = [2, 2]> (x, w)", "GlobalAveragePool(c)");
  unchanged("Conv <pads = [1, 1, 1, 1]> (x, w)", "GlobalAveragePool(c)");
  unchanged("Conv(x, u)", "GlobalAveragePool(c)");
  unchanged("Conv(x, w)", "GlobalMaxPool(c)");
  unchanged("Conv(x, w)", "ReduceMean <axes = [2]> (c)");
  unchanged("Conv(x, w)", "ReduceMean <axes = [1, 2, 3]> (c)");
}

}  // namespace
}  // namespace opass::passes
