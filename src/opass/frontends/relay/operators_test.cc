// What each operator computes, run by ONNX Runtime and compared with numbers worked out by hand.
#include "opass/frontends/relay/operators.h"

#include <limits>

#include "opass/frontends/relay/test_text.h"

namespace opass::frontends::relay {
namespace {

class RelayOperators : public testing::Test {
 protected:
  void SetUp() override { OPASS_SKIP_WITHOUT_ORT(); }
};

const std::string kV = "%x: Tensor[(4), float32]";

TEST_F(RelayOperators, Elementwise) {
  const Numbers x = {-2, -0.5, 0, 4};
  ExpectNear(Value(kV, "abs(%x)", {x}), {2, 0.5, 0, 4});
  ExpectNear(Value(kV, "negative(%x)", {x}), {2, 0.5, 0, -4});
  ExpectNear(Value(kV, "nn.relu(%x)", {x}), {0, 0, 0, 4});
  ExpectNear(Value(kV, "nn.leaky_relu(%x, alpha=0.5f)", {x}), {-1, -0.25, 0, 4});
  ExpectNear(Value(kV, "annotation.stop_fusion(%x)", {x}), x);
  ExpectNear(Value(kV, "erf(%x)", {x}), {std::erf(-2), std::erf(-0.5), 0, 1});
  ExpectNear(Value(kV, "sigmoid(%x)", {x}), {0.1192029, 0.3775407, 0.5, 0.9820138});
  ExpectNear(Value(kV, "tanh(%x)", {x}), {std::tanh(-2), std::tanh(-0.5), 0, std::tanh(4)});
  ExpectNear(Value(kV, "sqrt(abs(%x))", {x}), {std::sqrt(2), std::sqrt(0.5), 0, 2});
  ExpectNear(Value(kV, "log(exp(%x))", {x}), x);
  ExpectNear(Value(kV, "power(%x, 2f)", {x}), {4, 0.25, 0, 16});
  ExpectNear(Value(kV, "divide(subtract(%x, 1f), 2f)", {x}), {-1.5, -0.75, -0.5, 1.5});
  ExpectNear(Value(kV, "maximum(minimum(%x, 1f), -1f)", {x}), {-1, -0.5, 0, 1});
  ExpectNear(Value(kV, "where(less(%x, 0f), %x, 9f)", {x}), {-2, -0.5, 9, 9});
  ExpectNear(Value(kV, "(equal(%x, 0f), greater(%x, 0f)).0", {x}), {0, 0, 1, 0});
  ExpectNear(Value(kV, "greater(%x, 0f)", {x}), {0, 0, 0, 1});
  EXPECT_EQ(Value("%a: Tensor[(2, 1), int32], %b: Tensor[(3), int32]", "multiply(%a, %b)",
                  {{1, 10}, {1, 2, 3}}),
            (Numbers{1, 2, 3, 10, 20, 30}));
}

TEST_F(RelayOperators, ClipOfEveryType) {
  EXPECT_EQ(Value("%x: Tensor[(3), int32]", "clip(%x, a_min=-0.5f, a_max=255f)", {{-7, 9, 999}}),
            (Numbers{0, 9, 255}));
  EXPECT_EQ(Value("%x: Tensor[(2), uint8]", "clip(%x, a_min=-5f, a_max=6f)", {{3, 9}}),
            (Numbers{3, 6}));
  // 0.4 is no bfloat16: the bound is the nearest one.
  EXPECT_EQ(
      Value(kV, "clip(cast(%x, dtype=\"bfloat16\"), a_min=-0.2f, a_max=0.4f)", {{-1, 0, 0.25, 1}}),
      (Numbers{-0.2001953125, 0, 0.25, 0.400390625}));
}

TEST_F(RelayOperators, HalfFloatsAreRoundedOnce) {
  EXPECT_EQ(Value(kV, "add(cast(%x, dtype=\"float16\"), 1.0f16)", {{2048, 0, 0.0001, 1}}),
            (Numbers{2048, 1, 1, 2}));
  EXPECT_EQ(OutputType(Import(kV, "sqrt(cast(%x, dtype=\"bfloat16\"))")), "bfloat16[4]");
}

TEST_F(RelayOperators, Types) {
  EXPECT_EQ(Value(kV, "cast(%x, dtype=\"int16\")", {{-1.9, 0, 1.9, 7}}), (Numbers{-1, 0, 1, 7}));
  EXPECT_EQ(Value(kV, "cast(%x, dtype=\"bool\")", {{-1, 0, 0.5, 7}}), (Numbers{1, 0, 1, 1}));
  EXPECT_EQ(Value("%x: Tensor[(2), float32], %y: Tensor[(9, 9), int32]", "cast_like(%x, %y)",
                  {{1.5, -1.5}, Numbers(81, 0)}),
            (Numbers{1, -1}));
}

TEST_F(RelayOperators, Reductions) {
  const std::string x = "%x: Tensor[(2, 3), float32]";
  const Numbers values = {3, 1, 2, 9, 8, 9};
  EXPECT_EQ(Value(x, "max(%x, axis=None, keepdims=0, exclude=0)", {values}), Numbers{9});
  EXPECT_EQ(Value(x, "max(%x, axis=[-1], keepdims=1)", {values}), (Numbers{3, 9}));
  EXPECT_EQ(OutputType(Import(x, "max(%x, axis=[-1], keepdims=1)")), "float32[2,1]");
  EXPECT_EQ(Value(x, "sum(%x, axis=0)", {values}), (Numbers{12, 9, 11}));
  EXPECT_EQ(Value(x, "min(less(%x, 9f), axis=[0])", {values}), (Numbers{0, 1, 0}));
  EXPECT_EQ(Value(x, "max(max(%x))", {values}), Numbers{9});
  EXPECT_EQ(Value(x, "argmin(%x, axis=[1], keepdims=0, select_last_index=0, exclude=0)", {values}),
            (Numbers{1, 1}));
  EXPECT_EQ(Value(x, "argmax(%x, axis=1, select_last_index=1)", {values}), (Numbers{0, 2}));
  EXPECT_EQ(OutputType(Import(x, "argmax(%x, axis=1, keepdims=1)")), "int32[2,1]");
}

TEST_F(RelayOperators, ReductionsOfNothing) {
  const std::string x = "%x: Tensor[(2, 0), float32], %i: Tensor[(0), int8]";
  const double lowest = std::numeric_limits<float>::lowest();
  EXPECT_EQ(Value(x, "max(%x)", {{}, {}}), Numbers{lowest});
  EXPECT_EQ(Value(x, "min(%x, axis=1)", {{}, {}}), (Numbers{-lowest, -lowest}));
  EXPECT_EQ(Value(x, "sum(%x)", {{}, {}}), Numbers{0});
  EXPECT_EQ(Value(x, "max(%i)", {{}, {}}), Numbers{-128});
}

TEST_F(RelayOperators, Sorting) {
  const Numbers values = {2, 1, 2, 0};
  EXPECT_EQ(Value(kV, "argsort(%x, axis=0, is_ascend=1, dtype=\"int32\")", {values}),
            (Numbers{3, 1, 0, 2}));
  EXPECT_EQ(Value(kV, "argsort(%x, is_ascend=0)", {values}), (Numbers{0, 2, 1, 3}));
  EXPECT_EQ(Value(kV, "topk(%x, k=2, axis=0, ret_type=\"values\", is_ascend=1, dtype=\"float32\")",
                  {values}),
            (Numbers{0, 1}));
  EXPECT_EQ(Value(kV, "topk(%x, k=2, ret_type=\"indices\", dtype=\"int64\")", {values}),
            (Numbers{0, 2}));
  EXPECT_EQ(OutputsOf(kV, "topk(%x, k=0)", {values}),
            (std::vector<Numbers>{{2, 2, 1, 0}, {0, 2, 1, 3}}));
}

TEST_F(RelayOperators, Shapes) {
  const std::string x = "%x: Tensor[(1, 2, 3), float32]";
  const auto type = [&](const std::string& body) { return OutputType(Import(x, body)); };
  EXPECT_EQ(type("reshape(%x, newshape=[0, -1, 1])"), "float32[1,6,1]");
  EXPECT_EQ(type("reshape(%x, newshape=[6], allowzero=0)"), "float32[6]");
  EXPECT_EQ(type("squeeze(%x, axis=None)"), "float32[2,3]");
  EXPECT_EQ(type("squeeze(%x, axis=[0])"), "float32[2,3]");
  EXPECT_EQ(type("expand_dims(%x, axis=-1, num_newaxis=2)"), "float32[1,2,3,1,1]");
  EXPECT_EQ(type("expand_dims(%x, axis=1)"), "float32[1,1,2,3]");
  EXPECT_EQ(Value(x, "transpose(%x, axes=None)", {Count(6)}), (Numbers{0, 3, 1, 4, 2, 5}));
  EXPECT_EQ(type("transpose(%x, axes=[0, -1, 1])"), "float32[1,3,2]");
  EXPECT_EQ(Value("%x: Tensor[(0, 4), float32]", "reshape(%x, newshape=[2, 0], allowzero=1)", {{}}),
            Numbers());
}

TEST_F(RelayOperators, Layouts) {
  const std::string x = "%x: Tensor[(1, 8, 1, 2), float32]";
  const Numbers values = Count(16);
  const Numbers by_four = {0, 2, 4, 6, 1, 3, 5, 7, 8, 10, 12, 14, 9, 11, 13, 15};
  const Numbers by_eight = {0, 2, 4, 6, 8, 10, 12, 14, 1, 3, 5, 7, 9, 11, 13, 15};
  const auto to = [](const std::string& data, const std::string& from, const std::string& target) {
    return "layout_transform(" + data + ", src_layout=\"" + from + "\", dst_layout=\"" + target +
           "\")";
  };
  const std::string four = to("%x", "NCHW", "NCHW4c");
  EXPECT_EQ(OutputType(Import(x, four)), "float32[1,2,1,2,4]");
  EXPECT_EQ(Value(x, four, {values}), by_four);
  const std::string eight = to(four, "NCHW4c", "NCHW8c");
  EXPECT_EQ(OutputType(Import(x, eight)), "float32[1,1,1,2,8]");
  EXPECT_EQ(Value(x, eight, {values}), by_eight);
  EXPECT_EQ(Value(x, to(to(eight, "NCHW8c", "NCHW4c"), "NCHW4c", "NCHW"), {values}), values);
  EXPECT_EQ(Value(x, to("%x", "NCHW", "NHWC"), {values}), by_eight);
  EXPECT_EQ(OutputType(Import(x, to("%x", "NHWC", "CHWN"))), "float32[2,8,1,1]");
  EXPECT_EQ(Import(x, to("%x", "NCHW", "NCHW")).model.graph.order.size(), 0U);
}

TEST_F(RelayOperators, LikeAnother) {
  const std::string xy = "%x: Tensor[(2, 3), float32], %y: Tensor[(3), float32]";
  const std::vector<Numbers> values = {Count(6), {1, 2, 3}};
  EXPECT_EQ(Value(xy, "add(zeros_like(%x), ones_like(%y))", values), Numbers(6, 1));
  EXPECT_EQ(Value(xy, "full_like(%x, 7)", values), Numbers(6, 7));
  EXPECT_EQ(Value(xy, "broadcast_to_like(%y, %x)", values), (Numbers{1, 2, 3, 1, 2, 3}));
  EXPECT_EQ(Value(xy, "collapse_sum_like(%x, %y)", values), (Numbers{3, 5, 7}));
  EXPECT_EQ(Value(xy, "collapse_sum_like(%x, 1f)", values), Numbers{15});
  EXPECT_EQ(Value("%x: Tensor[(2, 3), float32], %y: Tensor[(2, 1), float32]",
                  "collapse_sum_like(%x, %y)", {Count(6), {0, 0}}),
            (Numbers{3, 12}));
  EXPECT_EQ(Value(xy, "collapse_sum_like(%x, %x)", values), Count(6));
  EXPECT_EQ(Value("%x: Tensor[(2, 3), float32], %y: Tensor[(3, 2), float32]",
                  "reshape_like(%x, %y)", {Count(6), Count(6)}),
            Count(6));
  EXPECT_EQ(Value("", "ones(shape=[2], dtype=\"int32\")", {}), (Numbers{1, 1}));
  EXPECT_EQ(Value("", "zeros(shape=[], dtype=\"float32\")", {}), Numbers{0});
}

TEST_F(RelayOperators, ShapesAsValues) {
  const std::string xy = "%x: Tensor[(2, 3), float32], %y: Tensor[(3, 2), float32]";
  const std::vector<Numbers> values = {Count(6), Count(6)};
  EXPECT_EQ(Value(xy, "shape_of(%x, dtype=\"int32\")", values), (Numbers{2, 3}));
  EXPECT_EQ(OutputType(Import(xy, "shape_of(%x, dtype=\"int64\")")), "int64[2]");
  EXPECT_EQ(Value(xy, "ndarray_size(%x, dtype=\"int32\")", values), Numbers{6});
  const std::string reshape = "dyn.reshape(%x, shape_of(%y), newshape=[], allowzero=0)";
  EXPECT_EQ(OutputType(Import(xy, reshape)), "float32[3,2]");
  EXPECT_EQ(Value(xy, reshape, values), Count(6));
  EXPECT_EQ(Value(xy, "dyn.ones(shape_of(%y), shape=None, dtype=\"float32\")", values),
            Numbers(6, 1));
  EXPECT_EQ(Value(xy, "dyn.zeros(shape_of(%y), dtype=\"int32\")", values), Numbers(6, 0));
  EXPECT_EQ(Value(xy, "dyn.broadcast_to(2f, shape_of(%y), shape=None, dtype=\"\")", values),
            Numbers(6, 2));
  // In Relay's text form, 0 stands for the size at the same place unless zeros are allowed.
  const std::string empty = "%x: Tensor[(0, 9), float32], %y: Tensor[(0, 3, 3), float32]";
  EXPECT_EQ(OutputType(Import(empty, "dyn.reshape(%x, shape_of(%y))")), "float32[0,3,3]");
  EXPECT_EQ(Value(empty, "dyn.reshape(%x, shape_of(%y))", {{}, {}}), Numbers());
}

TEST_F(RelayOperators, Pieces) {
  const std::string xy = "%x: Tensor[(2, 2), int32], %y: Tensor[(2, 1), int32]";
  EXPECT_EQ(Value(xy, "concatenate((%x, %y, %y), axis=-1)", {{1, 2, 3, 4}, {5, 6}}),
            (Numbers{1, 2, 5, 5, 3, 4, 6, 6}));
  const std::string x = "%x: Tensor[(6), int32]";
  const auto parts = OutputsOf(x, "split(%x, indices_or_sections=[1, 4], axis=0)", {Count(6)});
  EXPECT_EQ(parts, (std::vector<Numbers>{{0}, {1, 2, 3}, {4, 5}}));
  EXPECT_EQ(OutputsOf(x, "split(%x, indices_or_sections=3)", {Count(6)}).size(), 3U);
  const auto slice = [&](const std::string& attributes) {
    return Value(x, "strided_slice(%x, " + attributes + ")", {Count(6)});
  };
  EXPECT_EQ(slice("begin=[1], end=[99], strides=[2], slice_mode=\"end\", axes=None"),
            (Numbers{1, 3, 5}));
  EXPECT_EQ(slice("begin=[-3], end=[-1]"), (Numbers{3, 4}));
  EXPECT_EQ(slice("begin=[2], end=[3], slice_mode=\"size\", axes=[-1]"), (Numbers{2, 3, 4}));
  EXPECT_EQ(slice("begin=[2], end=[-1], slice_mode=\"size\""), (Numbers{2, 3, 4, 5}));
  EXPECT_EQ(slice("begin=[4], end=[2]"), Numbers());
}

TEST_F(RelayOperators, Indices) {
  const std::string x = "%x: Tensor[(3, 2), float32], %i: Tensor[(2), int64]";
  EXPECT_EQ(Value(x, "take(%x, %i, batch_dims=0, axis=0, mode=\"clip\")", {Count(6), {9, -9}}),
            (Numbers{4, 5, 0, 1}));
  EXPECT_EQ(OutputType(Import(x, "take(%x, %i, axis=-1)")), "float32[3,2]");
  const std::string i = "%i: Tensor[(2), int32], %on: int32, %off: int32";
  EXPECT_EQ(
      Value(i, "one_hot(%i, %on, %off, depth=3, axis=0, dtype=\"float32\")", {{2, 0}, {5}, {-1}}),
      (Numbers{-1, 5, -1, -1, 5, -1}));
  EXPECT_EQ(OutputType(Import(i, "one_hot(%i, %on, %off, depth=3)")), "float32[2,3]");
}

TEST(RelayOperatorTable, NamesAreDistinct) {
  for (const char* name : {"add", "nn.conv2d", "qnn.quantize", "dyn.reshape", "zeros_like"}) {
    ASSERT_NE(FindOperator(name), nullptr) << name;
    EXPECT_EQ(FindOperator(name)->name, std::string(name));
  }
  EXPECT_EQ(FindOperator("nn.conv3d"), nullptr);
}

}  // namespace
}  // namespace opass::frontends::relay
