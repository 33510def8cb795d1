#include "opass/passes/testing/execute.h"

namespace opass::passes {
namespace {

using testing::ExpectPass;
using testing::ExpectUnchanged;
using testing::Weight;

constexpr const char* kIo = "(float[1,2,6,5] x) => (float[1,3,a,b] y)";

std::string Graph(const std::string& body, const std::string& pads = "0, 0, 1, 2, 0, 0, 0, 1",
                  const std::string& more = "") {
  return testing::Graph(kIo,
                        Weight("w", {3, 2, 3, 3}) + ", float zero = {0}, float one = {1}" + more +
                            (pads.empty() ? "" : ", int64[8] pads = {" + pads + "}"),
                        body);
}

TEST(FoldPadIntoConv, AddsToThePadsOfTheConvolution) {
  ExpectPass(
      "fold_pad_into_conv", Graph("p = Pad(x, pads, zero)\ny = Conv <pads = [1, 0, 0, 1]> (p, w)"),
      testing::Graph(kIo, Weight("w", {3, 2, 3, 3}), "y = Conv <pads = [2, 2, 0, 2]> (x, w)"));
}

TEST(FoldPadIntoConv, ValidMeansNoPads) {
  ExpectPass("fold_pad_into_conv",
             Graph("p = Pad(x, pads)\ny = Conv <strides = [2, 2], auto_pad = \"VALID\"> (p, w)"),
             testing::Graph(kIo, Weight("w", {3, 2, 3, 3}),
                            "y = Conv <strides = [2, 2], pads = [1, 2, 0, 1]> (x, w)"));
}

TEST(FoldPadIntoConv, PoolsThatCountTheirPads) {
  const char* io = "(float[1,2,6,5] x) => (float[1,2,a,b] y)";
  const auto graph = [&](const char* body, bool with_pads) {
    return testing::Graph(io, with_pads ? "int64[8] pads = {0, 0, 1, 1, 0, 0, 1, 0}" : "", body);
  };
  ExpectPass("fold_pad_into_conv",
             graph("p = Pad(x, pads)\ny = AveragePool <kernel_shape = [2, 2], "
                   "count_include_pad = 1> (p)",
                   true),
             graph("y = AveragePool <kernel_shape = [2, 2], count_include_pad = 1, "
                   "pads = [1, 1, 1, 0]> (x)",
                   false));
  ExpectUnchanged("fold_pad_into_conv",
                  graph("p = Pad(x, pads)\ny = AveragePool <kernel_shape = [2, 2]> (p)", true));
  ExpectUnchanged("fold_pad_into_conv",
                  graph("p = Pad(x, pads)\ny = AveragePool <kernel_shape = [1, 2], "
                        "count_include_pad = 1> (p)",
                        true));
}

TEST(FoldPadIntoConv, EveryReaderMustTakeThePads) {
  ExpectUnchanged(
      "fold_pad_into_conv",
      testing::Graph("(float[1,2,6,5] x) => (float[1,3,6,6] y, "
                     "float[1,2,8,8] z)",
                     Weight("w", {3, 2, 3, 3}) + ", int64[8] pads = {0, 0, 1, 2, 0, 0, 1, 1}",
                     "p = Pad(x, pads)\ny = Conv(p, w)\n"
                     "z = Relu(p)"));
}

TEST(FoldPadIntoConv, OnlyConstantZerosAroundPixels) {
  ExpectUnchanged("fold_pad_into_conv", Graph("p = Pad(x, pads, one)\ny = Conv(p, w)"));
  ExpectUnchanged("fold_pad_into_conv",
                  Graph("p = Pad <mode = \"edge\"> (x, pads)\ny = Conv(p, w)"));
  ExpectUnchanged("fold_pad_into_conv",
                  Graph("p = Pad(x, pads)\ny = Conv(p, w)", "0, 0, -1, 0, 0, 0, 0, 0"));
  ExpectUnchanged("fold_pad_into_conv",
                  Graph("p = Pad(x, pads)\ny = Conv <auto_pad = \"SAME_UPPER\"> (p, w)"));
  ExpectUnchanged(
      "fold_pad_into_conv",
      testing::Graph("(float[1,1,6,5] x) => (float[1,3,6,5] y)",
                     Weight("w", {3, 2, 3, 3}) + ", int64[8] pads = {0, 1, 1, 1, 0, 0, 1, 1}",
                     "p = Pad(x, pads)\ny = Conv(p, w)"));
}

TEST(FoldPadIntoConv, PadsThatTheCallerMayReplaceStay) {
  ExpectUnchanged("fold_pad_into_conv",
                  testing::Graph("(float[1,2,6,5] x, int64[8] pads = {0, 0, 1, 1, 0, 0, 1, 1}) => "
                                 "(float[1,3,a,b] y)",
                                 Weight("w", {3, 2, 3, 3}), "p = Pad(x, pads)\ny = Conv(p, w)"));
}

}  // namespace
}  // namespace opass::passes
