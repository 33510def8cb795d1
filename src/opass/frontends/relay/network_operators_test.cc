// What the operators of networks compute, run by ONNX Runtime and compared with numbers worked out
// by hand.
#include "opass/frontends/relay/test_text.h"

namespace opass::frontends::relay {
namespace {

class RelayNetworkOperators : public testing::Test {
 protected:
  void SetUp() override { OPASS_SKIP_WITHOUT_ORT(); }
};

const std::string kV = "%x: Tensor[(4), float32]";

TEST_F(RelayNetworkOperators, Matrices) {
  EXPECT_EQ(Value("%x: Tensor[(1, 2), float32], %w: Tensor[(3, 2), float32]",
                  "nn.dense(%x, %w, units=3, out_dtype=\"\")", {{1, 10}, Count(6)}),
            (Numbers{10, 32, 54}));
  const std::string ab = "%a: Tensor[(2, 1, 2), float32], %b: Tensor[(1, 2, 2), float32]";
  EXPECT_EQ(Value(ab, "nn.batch_matmul(%a, %b, transpose_b=True)", {Count(4), {1, 2, 3, 4}}),
            (Numbers{2, 4, 8, 18}));
  EXPECT_EQ(
      Value(ab, "nn.batch_matmul(%a, %b, transpose_a=0, transpose_b=0)", {Count(4), {1, 2, 3, 4}}),
      (Numbers{3, 4, 11, 16}));
  EXPECT_EQ(Value("%x: Tensor[(1, 2, 2), float32], %b: Tensor[(2), float32]",
                  "nn.bias_add(%x, %b, axis=1)", {Count(4), {10, 20}}),
            (Numbers{10, 11, 22, 23}));
}

TEST_F(RelayNetworkOperators, Normalization) {
  const std::string x =
      "%x: Tensor[(1, 2, 2), float32], %g: Tensor[(2), float32], "
      "%b: Tensor[(2), float32], %m: Tensor[(2), float32], "
      "%v: Tensor[(2), float32]";
  const auto outputs = OutputsOf(x, "nn.batch_norm(%x, %g, %b, %m, %v, axis=1, epsilon=0f)",
                                 {Count(4), {1, 2}, {0, 1}, {1, 1}, {4, 1}});
  ASSERT_EQ(outputs.size(), 3U);
  ExpectNear(outputs[0], {-0.5, 0, 3, 5});
  EXPECT_EQ(outputs[1], (Numbers{1, 1}));
  EXPECT_EQ(outputs[2], (Numbers{4, 1}));
  ExpectNear(
      Value("%x: Tensor[(1, 2), float32], %g: Tensor[(2), float32], %b: Tensor[(2), float32]",
            "nn.layer_norm(%x, %g, %b, epsilon=0f)", {{1, 3}, {1, 2}, {0, 1}}),
      {-1, 3});
  ExpectNear(Value("%x: Tensor[(2, 1), float32]", "nn.softmax(%x, axis=0)", {{0, std::log(3.0)}}),
             {0.25, 0.75});
  EXPECT_EQ(Value(kV, "nn.dropout(%x, rate=0.5f).0", {Count(4)}), Count(4));
}

TEST_F(RelayNetworkOperators, Convolutions) {
  const std::string xw = "%x: Tensor[(1, 1, 3, 3), float32], %w: Tensor[(1, 1, 2, 2), float32]";
  const Numbers kernel = {1, 0, 0, 2};
  EXPECT_EQ(Value(xw, "nn.conv2d(%x, %w, kernel_size=[2, 2], channels=1)", {Count(9), kernel}),
            (Numbers{8, 11, 17, 20}));
  EXPECT_EQ(Value(xw, "nn.conv2d(%x, %w, strides=[2, 2], padding=[1, 1])", {Count(9), kernel}),
            (Numbers{0, 4, 12, 20}));
  EXPECT_EQ(Value(xw, "nn.conv2d(%x, %w, dilation=[2, 2])", {Count(9), kernel}), Numbers{16});
  EXPECT_EQ(Value(xw, "nn.conv2d_transpose(%x, %w, padding=[1, 1, 1, 1])", {Count(9), kernel}),
            (Numbers{4, 7, 13, 16}));
  EXPECT_EQ(OutputType(Import(xw,
                              "nn.conv2d_transpose(%x, %w, strides=[2, 2], "
                              "output_padding=[1, 1], kernel_layout=\"IOHW\")")),
            "float32[1,1,7,7]");
  EXPECT_EQ(OutputType(Import("%x: Tensor[(1, 4, 3, 3), float32], "
                              "%w: Tensor[(6, 2, 1, 1), float32]",
                              "nn.conv2d(%x, %w, groups=2)")),
            "float32[1,6,3,3]");
}

// Against the definition, element by element.
TEST_F(RelayNetworkOperators, GradientOfAConvolutionsWeight) {
  const std::string parameters =
      "%g: Tensor[(2, 2, 2, 2), float32], %x: Tensor[(2, 3, 4, 4), float32]";
  Numbers gradient;
  Numbers data;
  for (int i = 0; i < 16; ++i) gradient.push_back(i % 5 - 2);
  for (int i = 0; i < 96; ++i) data.push_back(i % 7 - 3);
  Numbers expected;
  for (int o = 0; o < 2; ++o) {
    for (int c = 0; c < 3; ++c) {
      for (int place = 0; place < 9; ++place) {
        double sum = 0;
        for (int n = 0; n < 2; ++n) {
          for (int y = 0; y < 2; ++y) {
            for (int x = 0; x < 2; ++x) {
              const int row = 2 * y + place / 3 - 1;
              const int column = 2 * x + place % 3 - 1;
              if (row < 0 || row > 3 || column < 0 || column > 3) continue;
              sum += gradient[static_cast<std::size_t>(((n * 2 + o) * 2 + y) * 2 + x)] *
                     data[static_cast<std::size_t>(((n * 3 + c) * 4 + row) * 4 + column)];
            }
          }
        }
        expected.push_back(sum);
      }
    }
  }
  EXPECT_EQ(Value(parameters,
                  "nn.conv2d_backward_weight(%g, %x, strides=[2, 2], padding=[1, 1, 1, 1], "
                  "channels=2, kernel_size=[3, 3], kernel_layout=\"NCHW\", out_layout=\"OIHW\", "
                  "out_dtype=\"float32\")",
                  {gradient, data}),
            expected);
}

TEST_F(RelayNetworkOperators, Pools) {
  const std::string x = "%x: Tensor[(1, 1, 3, 3), float32]";
  EXPECT_EQ(Value(x, "nn.max_pool2d(%x, pool_size=[2, 2], strides=[1, 1])", {Count(9)}),
            (Numbers{4, 5, 7, 8}));
  EXPECT_EQ(Value(x,
                  "nn.avg_pool2d(%x, pool_size=[2, 2], strides=[2, 2], padding=[1, 1, 0, 0], "
                  "layout=\"NCHW\", out_layout=\"\", ceil_mode=0, count_include_pad=0)",
                  {Count(9)}),
            (Numbers{0, 1.5, 4.5, 6}));
  EXPECT_EQ(Value(x, "nn.global_max_pool2d(%x, layout=\"NCHW\")", {Count(9)}), Numbers{8});
  const std::string gx = "%g: Tensor[(1, 1, 2, 2), float32], " + x;
  EXPECT_EQ(Value(gx, "nn.max_pool2d_grad(%g, %x, pool_size=[2, 2], strides=[1, 1], dilation=[])",
                  {{1, 2, 3, 4}, {0, 0, 0, 0, 9, 0, 0, 0, 0}}),
            (Numbers{0, 0, 0, 0, 10, 0, 0, 0, 0}));
  EXPECT_EQ(Value("%g: Tensor[(1, 1, 1, 1), float32], " + x,
                  "nn.avg_pool2d_grad(%g, %x, pool_size=[3, 3])", {{18}, Count(9)}),
            Numbers(9, 2));
}

TEST_F(RelayNetworkOperators, Blocks) {
  const std::string x = "%x: Tensor[(1, 2, 2, 1), float32]";
  const std::string apart =
      "nn.space_to_batch_nd(%x, block_shape=[2, 2], paddings=[[0, 2], [1, 1]], pad_value=-1f)";
  EXPECT_EQ(OutputType(Import(x, apart)), "float32[4,2,2,1]");
  const Numbers rows = {-1, 1, -1, -1, 0, -1, -1, -1, -1, 3, -1, -1, 2, -1, -1, -1};
  EXPECT_EQ(Value(x, apart, {Count(4)}), rows);
  EXPECT_EQ(
      Value(x, "nn.batch_to_space_nd(" + apart + ", block_shape=[2, 2], crops=[[0, 2], [1, 1]])",
            {Count(4)}),
      Count(4));
  EXPECT_EQ(
      Value("%x: Tensor[(4, 1, 1, 1), float32]",
            "nn.batch_to_space_nd(%x, block_shape=[2, 2], crops=[[0, 0], [0, 0]])", {Count(4)}),
      Count(4));
  EXPECT_EQ(Value("%x: Tensor[(1, 4, 1, 1), float32]",
                  "nn.depth_to_space(%x, block_size=2, layout=\"NCHW\", mode=\"DCR\")", {Count(4)}),
            Count(4));
}

TEST_F(RelayNetworkOperators, BlocksThatDoNotFitGiveNothing) {
  const std::string x = "%x: Tensor[(1, 3, 5, 4), float32]";
  const std::string to_space =
      "nn.batch_to_space_nd(%x, block_shape=[2, 2], crops=[[0, 1], [0, 1]])";
  EXPECT_EQ(OutputType(Import(x, to_space)), "float32[0,5,9,4]");
  EXPECT_EQ(Value(x, "nn.relu(transpose(" + to_space + ", axes=None))", {Count(60)}), Numbers());
  EXPECT_EQ(OutputType(Import(x, "nn.depth_to_space(%x, block_size=4)")), "float32[1,0,20,16]");
}

TEST_F(RelayNetworkOperators, Images) {
  const std::string x = "%x: Tensor[(1, 1, 1, 2), float32]";
  EXPECT_EQ(Value(x,
                  "nn.upsampling(%x, scale_h=2f, scale_w=2f, layout=\"NCHW\", "
                  "method=\"nearest_neighbor\", align_corners=0)",
                  {{1, 2}}),
            (Numbers{1, 1, 2, 2, 1, 1, 2, 2}));
  ExpectNear(Value(x,
                   "image.resize2d(%x, size=[1, 4], roi=[0f, 0f, 0f, 0f], layout=\"NCHW\", "
                   "method=\"linear\", coordinate_transformation_mode=\"half_pixel\", "
                   "rounding_method=\"\", cubic_alpha=-0.5f, cubic_exclude=0, "
                   "extrapolation_value=0f, out_dtype=\"\")",
                   {{0, 4}}),
             {0, 1, 3, 4});
}

TEST_F(RelayNetworkOperators, QuantizationRoundsHalvesAwayFromZero) {
  const std::string x = "%x: Tensor[(8), float32]";
  const auto quantize = [&](const std::string& rest, const Numbers& values) {
    return Value(x, "qnn.quantize(%x, " + rest + ", axis=-1)", {values});
  };
  EXPECT_EQ(quantize("1f, 0, out_dtype=\"int8\"", {0.5, 1.5, 2.5, -0.5, -1.5, -2.5, 200, -200}),
            (Numbers{1, 2, 3, -1, -2, -3, 127, -128}));
  const double below_half = 0.5 - 0x1p-25;
  EXPECT_EQ(quantize("1f, 0, out_dtype=\"int8\"",
                     {below_half, -below_half, 0, 0.49, 126.5, -128.5, 1e30, -1e30}),
            (Numbers{0, 0, 0, 0, 127, -128, 127, -128}));
  // Every tie of a range with a zero point in its middle, and what lies beside it.
  EXPECT_EQ(quantize("1f, 100, out_dtype=\"uint8\"",
                     {154.5, 154.49999, -99.5, -99.49999, 127.5, 127.50001, -127.5, 0.50000006}),
            (Numbers{255, 254, 0, 1, 228, 228, 0, 101}));
  EXPECT_EQ(quantize("2f, 114, out_dtype=\"uint8\"", {1, -1, 3, -3, 281, 283, -228, -230}),
            (Numbers{115, 113, 116, 112, 255, 255, 0, 0}));
  EXPECT_EQ(
      quantize("0.5f, -128, out_dtype=\"int8\"", {0, 0.25, 0.24, 127.5, 127.6, 1e9, -1, -1e9}),
      (Numbers{-128, -127, -128, 127, 127, 127, -128, -128}));
}

TEST_F(RelayNetworkOperators, Dequantization) {
  EXPECT_EQ(
      Value("%x: Tensor[(3), int8]", "qnn.dequantize(%x, 0.5f, -12, axis=-1)", {{-128, 0, 127}}),
      (Numbers{-58, 6, 69.5}));
  EXPECT_EQ(Value("%x: Tensor[(2), int32]", "qnn.dequantize(%x, 2f, 10, out_dtype=\"float32\")",
                  {{5, 1000}}),
            (Numbers{-10, 1980}));
  EXPECT_EQ(Value("%x: Tensor[(2), int32]", "qnn.dequantize(%x, 2f, 0)", {{5, -5}}),
            (Numbers{10, -10}));
  EXPECT_EQ(Value("%x: Tensor[(1), uint8]", "qnn.dequantize(%x, 2f, 114)", {{255}}), Numbers{282});
}

}  // namespace
}  // namespace opass::frontends::relay
