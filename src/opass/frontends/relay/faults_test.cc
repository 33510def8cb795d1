// Every fault of an operator's use, told with the operator and its arguments.
#include <fmt/format.h>

#include "opass/frontends/relay/test_text.h"

namespace opass::frontends::relay {
namespace {

struct Fault {
  const char* parameters;
  const char* body;
  const char* message;  // the end of it
};

void ExpectFaults(const std::vector<Fault>& faults) {
  for (const Fault& fault : faults) {
    const std::string text = ImportError(fault.parameters, fault.body);
    const std::string name = std::string(fault.body).substr(0, std::string(fault.body).find('('));
    EXPECT_TRUE(text.starts_with("3:1: " + name + "(")) << fault.body << "\n" << text;
    EXPECT_TRUE(text.ends_with(std::string(": ") + fault.message)) << fault.body << "\n" << text;
  }
}

constexpr const char* kX = "%x: Tensor[(2, 3), float32]";
constexpr const char* kXY = "%x: Tensor[(2, 3), float32], %y: Tensor[(2, 4), float32]";
constexpr const char* kXI = "%x: Tensor[(2, 3), float32], %i: Tensor[(2), int32]";
constexpr const char* kImage = "%x: Tensor[(1, 4, 5, 5), float32]";
constexpr const char* kImages =
    "%x: Tensor[(1, 4, 5, 5), float32], %w: Tensor[(4, 4, 3, 3), float32]";

TEST(RelayFaults, Signature) {
  EXPECT_EQ(ImportError(kXY, "add(%x, %y)"),
            "3:1: add(float32[2,3], float32[2,4]): the shapes do not fit: float32[2,3] and "
            "float32[2,4]");
  EXPECT_EQ(ImportError(kXY, "concatenate((%x, %y), axis=0)"),
            "3:1: concatenate((...)): field 1 of the tuple does not fit: float32[2,4]");
}

TEST(RelayFaults, Attributes) {
  ExpectFaults({
      {kX, "clip(%x, a_min=\"a\", a_max=1f)", "'a_min' must hold integers of 32 bits"},
      {kX, "cast(%x, dtype=5)", "'dtype' must be a string"},
      {kX, "cast(%x, dtype=\"float31\")", "there is no type 'float31'"},
      {kX, "expand_dims(%x, axis=99999999999i64)", "'axis' must hold integers of 32 bits"},
      {kX, "squeeze(%x, axis=[1.5f])", "'axis' must hold integers of 32 bits"},
      {kImage, "nn.max_pool2d(%x, pool_size=[1, 2, 3])",
       "'pool_size' must be two integers from 1 on"},
      {kImage, "nn.max_pool2d(%x, pool_size=[0, 2])", "'pool_size' must be two integers from 1 on"},
      {kImage, "nn.max_pool2d(%x, padding=[1, 2, 3])",
       "'padding' must be one, two or four integers from 0 on"},
      {kImage, "nn.max_pool2d(%x, padding=[-1])",
       "'padding' must be one, two or four integers from 0 on"},
      {kImage, "nn.max_pool2d(%x, layout=\"NHWC\")",
       "layout=\"NHWC\" is not supported, only \"NCHW\""},
      {kImage, "nn.max_pool2d(%x, ceil_mode=1)", "ceil_mode=1 is not supported, only 0"},
      {kX, "nn.softmax(%x, axis=2)", "there is no axis 2 among 2 dimensions"},
      {kX, "nn.softmax(%x, axis=-3)", "there is no axis -3 among 2 dimensions"},
  });
}

TEST(RelayFaults, Elementwise) {
  ExpectFaults({
      {kXI, "add(%x, %i)", "arguments 0 and 1 have the types float32[2,3] and int32[2]"},
      {kXI, "exp(%i)", "the argument is no float: int32[2]"},
      {kX, "where(%x, %x, %x)", "the condition is not bool"},
  });
}

TEST(RelayFaults, ReductionsAndSorting) {
  ExpectFaults({
      {kX, "max(%x, exclude=1, axis=0)", "exclude=1 is not supported, only 0"},
      {kX, "argmax(%x)", "only one axis is supported"},
      {"%x: Tensor[(0), float32]", "argmax(%x, axis=0)", "the argument has no elements"},
      {kX, "topk(%x, k=4)", "k is 4 of 3 elements"},
      {kX, "topk(%x, ret_type=\"all\")", "ret_type=\"all\" is not known"},
  });
}

TEST(RelayFaults, Shapes) {
  ExpectFaults({
      {kX, "reshape(%x)", "'newshape' is missing"},
      {kX, "reshape(%x, newshape=[5])", "float32[2,3] has no shape [5]"},
      {kX, "reshape(%x, newshape=[-1, -1])", "float32[2,3] has no shape [-1, -1]"},
      {kX, "reshape(%x, newshape=[-2])", "float32[2,3] has no shape [-2]"},
      {kX, "reshape(%x, newshape=[2, 3, 0])", "float32[2,3] has no shape [2, 3, 0]"},
      {kX, "reshape(%x, newshape=[4, -1])", "float32[2,3] has no shape [4, -1]"},
      {"%x: Tensor[(0), float32]", "reshape(%x, newshape=[0, -1])",
       "float32[0] has no shape [0, -1]"},
      {kX, "squeeze(%x, axis=[1])", "axis 1 has the size 3, not 1"},
      {kX, "expand_dims(%x, axis=0, num_newaxis=31)", "'num_newaxis' is out of range"},
      {kX, "expand_dims(%x, axis=0, num_newaxis=-1)", "'num_newaxis' is out of range"},
      {kX, "transpose(%x, axes=[0])", "'axes' is no permutation of 2 axes"},
      {kX, "transpose(%x, axes=[0, 0])", "'axes' is no permutation of 2 axes"},
      {kX, "layout_transform(%x, src_layout=\"NC\", dst_layout=\"NCH\")",
       "no way from layout \"NC\" to \"NCH\" is known"},
      {kX, "layout_transform(%x, src_layout=\"N4\", dst_layout=\"N4\")",
       "no way from layout \"N4\" to \"N4\" is known"},
      {kX, "layout_transform(%x, src_layout=\"NN\", dst_layout=\"NN\")",
       "no way from layout \"NN\" to \"NN\" is known"},
      {kX, "layout_transform(%x, src_layout=\"N4c\", dst_layout=\"N4c\")",
       "no way from layout \"N4c\" to \"N4c\" is known"},
      {kX, "layout_transform(%x, src_layout=\"N9999999c\", dst_layout=\"N\")",
       "no way from layout \"N9999999c\" to \"N\" is known"},
      {kX, "layout_transform(%x, src_layout=\"NCH\", dst_layout=\"NHC\")",
       "argument 0 must have 3 dimensions, not 2"},
      {kX, "layout_transform(%x, src_layout=\"NC\", dst_layout=\"NC2c\")",
       "float32[2,3] does not fit the layouts \"NC\" and \"NC2c\""},
      {"%x: Tensor[(2, 3, 4), float32]",
       "layout_transform(%x, src_layout=\"NC5c\", dst_layout=\"NC\")",
       "float32[2,3,4] does not fit the layouts \"NC5c\" and \"NC\""},
  });
}

TEST(RelayFaults, LikeAnotherAndShapesAsValues) {
  ExpectFaults({
      {kX, "zeros(shape=[-1])", "'shape' must be a list of sizes"},
      {kX, "ones()", "'shape' must be a list of sizes"},
      {kXI, "full_like(%x, %i)", "the second argument is no single number"},
      {kXI, "broadcast_to_like(%x, %i)", "float32[2,3] cannot be broadcast to [2]"},
      {kXI, "collapse_sum_like(%x, %i)", "float32[2,3] cannot be summed to int32[2]"},
      {kXY, "reshape_like(%x, %y)", "the numbers of elements differ"},
      {kX, "reshape_like(%x, %x, lhs_begin=1)", "lhs_begin=1 is not supported, only 0"},
      {kX, "reshape_like(%x, %x, rhs_end=1)", "ranges of axes are not supported"},
      {kX, "shape_of(%x, dtype=\"uint8\")", "'dtype' is no int32 or int64"},
      {kXI, "dyn.reshape(%x, %i)",
       "the shape is not known: it is neither a constant nor from shape_of"},
      {kX, "dyn.ones(3)", "the shape is not known: it is neither a constant nor from shape_of"},
      {kXY, "dyn.reshape(%x, shape_of(%y))", "float32[2,3] has no shape [2, 4]"},
      {kXY, "dyn.broadcast_to(%x, shape_of(%y))", "float32[2,3] cannot be broadcast to [2, 4]"},
  });
}

TEST(RelayFaults, PiecesAndIndices) {
  ExpectFaults({
      {kX, "concatenate((), axis=0)", "the tuple is empty"},
      {kX, "concatenate(((%x, %x), %x), axis=0)", "a field of the tuple is no tensor"},
      {kXI, "concatenate((%x, %i), axis=0)", "field 1 of the tuple does not fit: int32[2]"},
      {kX, "split(%x)", "'indices_or_sections' is missing"},
      {kX, "split(%x, indices_or_sections=2, axis=1)", "an axis of size 3 cannot be split so"},
      {kX, "split(%x, indices_or_sections=0, axis=1)", "an axis of size 3 cannot be split so"},
      {kX, "split(%x, indices_or_sections=[2, 1], axis=1)",
       "'indices_or_sections' does not ascend within the axis"},
      {kX, "split(%x, indices_or_sections=[4], axis=1)",
       "'indices_or_sections' does not ascend within the axis"},
      {kX, "strided_slice(%x, begin=[0], end=[1, 2])",
       "'begin', 'end', 'strides' and 'axes' must be lists of the same length, with different "
       "axes"},
      {kX, "strided_slice(%x, begin=[0, 0], end=[1, 2], axes=[1, -1])",
       "'begin', 'end', 'strides' and 'axes' must be lists of the same length, with different "
       "axes"},
      {kX, "strided_slice(%x, begin=[0], end=[1], strides=[-1])",
       "only strides from 1 on are supported"},
      {kX, "strided_slice(%x, begin=[0], end=[1], slice_mode=\"x\")",
       "slice_mode=\"x\" is not known"},
      {kXI, "take(%x, %i, mode=\"clip\")", "'axis' must be one axis"},
      {kXI, "take(%x, %i, axis=0, mode=\"wrap\")", "mode=\"wrap\" is not supported, only \"clip\""},
      {kX, "take(%x, %x, axis=0)", "the indices are neither int32 nor int64"},
      {"%x: Tensor[(0), float32], %i: Tensor[(2), int32]", "take(%x, %i, axis=0)",
       "the axis has no elements"},
      {kXI, "one_hot(%i, 1, 0)", "'depth' must be 1 or more"},
      {kX, "one_hot(%x, 1, 0, depth=2)", "the indices are neither int32 nor int64"},
      {kXI, "one_hot(%i, %i, 0, depth=2)", "the two numbers must be scalars"},
  });
}

TEST(RelayFaults, MatricesAndNormalization) {
  constexpr const char* kBatches =
      "%a: Tensor[(2, 1, 2), float32], %b: Tensor[(3, 1, 2), float32], %v: Tensor[(2), float32]";
  ExpectFaults({
      {kXY, "nn.dense(%x, %y)", "the shapes do not fit"},
      {kX, "nn.dense(%x, %x, units=5)", "the shapes do not fit"},
      {kXI, "nn.dense(%i, %x)", "argument 0 must have 2 dimensions, not 1"},
      {kX, "nn.dense(%x, %x, out_dtype=\"int32\")", "'out_dtype' differs from the arguments' type"},
      {kBatches, "nn.batch_matmul(%a, %b)", "the shapes do not fit"},
      {kBatches, "nn.batch_matmul(%a, %a, transpose_b=0)", "the shapes do not fit"},
      {kBatches, "nn.batch_matmul(%a, %a, out_dtype=\"int32\")",
       "'out_dtype' differs from the arguments' type"},
      {kBatches, "nn.bias_add(%a, %v, axis=1)", "the shapes do not fit"},
      {kBatches, "nn.batch_norm(%v, %v, %v, %v, %v)", "the data needs two dimensions or more"},
      {kBatches, "nn.batch_norm(%a, %v, %v, %v, %v)", "the shapes do not fit"},
      {kBatches, "nn.batch_norm(%a, %v, %v, %v, %v, axis=2)", "axis=2 is not supported, only 1"},
      {kBatches, "nn.layer_norm(%a, %v, %v, axis=0)", "only the last axis is supported"},
      {kBatches, "nn.layer_norm(%a, %v, %b)", "the shapes do not fit"},
      {kBatches, "nn.layer_norm(%a, %v, %v, scale=0)", "scale=0 is not supported, only 1"},
  });
}

TEST(RelayFaults, Convolutions) {
  ExpectFaults({
      {kX, "nn.conv2d(%x, %x)", "argument 0 must have 4 dimensions, not 2"},
      {kImages, "nn.conv2d(%x, %w, groups=0)", "'groups' must be 1 or more"},
      {kImages, "nn.conv2d(%x, %w, groups=2)", "the shapes do not fit"},
      {kImages, "nn.conv2d(%x, %w, dilation=[3, 3])", "the shapes do not fit"},
      {kImages, "nn.conv2d(%x, %w, channels=5)", "'channels' is not the weight's"},
      {kImages, "nn.conv2d(%x, %w, kernel_size=[5, 5])", "'kernel_size' is not the weight's"},
      {kImages, "nn.conv2d(%x, %w, kernel_layout=\"HWIO\")",
       "kernel_layout=\"HWIO\" is not supported, only \"OIHW\""},
      {kImages, "nn.conv2d(%x, %w, out_dtype=\"int32\")",
       "'out_dtype' differs from the arguments' type"},
      {kImages, "nn.conv2d_transpose(%x, %w, groups=2)", "groups=2 is not supported, only 1"},
      {kImages, "nn.conv2d_transpose(%x, %w, padding=[9, 9])", "the shapes do not fit"},
      {"%x: Tensor[(1, 3, 5, 5), float32], %w: Tensor[(4, 4, 3, 3), float32]",
       "nn.conv2d_transpose(%x, %w)", "the shapes do not fit"},
      {kImages, "nn.conv2d_backward_weight(%w, %x, kernel_size=[3, 3])", "the shapes do not fit"},
      {kImage, "nn.conv2d_backward_weight(%x, %x, channels=5)", "'channels' is not the gradient's"},
      {kImage, "nn.conv2d_backward_weight(%x, %x, dilation=[2, 2])",
       "only dilation 1 is supported"},
      {kImage, "nn.conv2d_backward_weight(%x, %x, out_dtype=\"int32\")",
       "'out_dtype' differs from the arguments' type"},
  });
}

TEST(RelayFaults, PoolsBlocksAndImages) {
  ExpectFaults({
      {kX, "nn.max_pool2d(%x)", "the data must have 4 dimensions"},
      {kImage, "nn.max_pool2d(%x, pool_size=[6, 6])", "the window is larger than the data"},
      {kImage, "nn.max_pool2d(%x, padding=[1, 1])", "the padding is as large as the window"},
      {kImages, "nn.max_pool2d_grad(%w, %x)", "the shapes do not fit"},
      {kImages, "nn.avg_pool2d_grad(%w, %x)", "the shapes do not fit"},
      {kImage, "nn.avg_pool2d_grad(%x, %x)", "only one window over the whole data is supported"},
      {"%x: Tensor[(1, 4, 0, 5), float32]", "nn.global_max_pool2d(%x)",
       "the argument has no elements"},
      {kX, "nn.batch_to_space_nd(%x, block_shape=[0])", "'block_shape' does not fit the data"},
      {kX, "nn.batch_to_space_nd(%x, block_shape=[2, 2], crops=[[0, 0], [0, 0]])",
       "'block_shape' does not fit the data"},
      {kX, "nn.batch_to_space_nd(%x, block_shape=[2])",
       "'crops' must be 1 pairs of integers from 0 on"},
      {kX, "nn.batch_to_space_nd(%x, block_shape=[2], crops=[[-1, 0]])",
       "'crops' must be 1 pairs of integers from 0 on"},
      {kX, "nn.batch_to_space_nd(%x, block_shape=[2], crops=[[4, 4]])",
       "'crops' does not fit the data"},
      {"%x: Tensor[(3, 3), float32]", "nn.batch_to_space_nd(%x, block_shape=[2], crops=[[0, 0]])",
       "the batch is no multiple of the block"},
      {kX, "nn.space_to_batch_nd(%x, block_shape=[2], paddings=[[0, 0]])",
       "the data is no multiple of the block"},
      {"%x: Tensor[(1, 1, 99999999), float32]",
       "nn.space_to_batch_nd(%x, block_shape=[1], paddings=[[2147483647, 2147483647]])",
       "the result is too large"},
      {"%x: Tensor[(99999999, 0), float32]",
       "nn.space_to_batch_nd(%x, block_shape=[1000000000, 1000000000], paddings=[[0, 0], [0, 0]])",
       "'block_shape' does not fit the data"},
      {kImage, "nn.depth_to_space(%x, block_size=0)", "'block_size' is out of range"},
      {kImage, "nn.depth_to_space(%x, block_size=2, mode=\"x\")", "mode=\"x\" is not known"},
      {"%x: Tensor[(1, 6, 5, 5), float32]", "nn.depth_to_space(%x, block_size=2)",
       "the channels are no multiple of the block"},
      {kImage, "image.resize2d(%x, size=[4, 4], method=\"cubic\")",
       "method=\"cubic\" is not supported, only \"linear\""},
      {kImage, "image.resize2d(%x, size=[4, 4], out_dtype=\"int32\")",
       "'out_dtype' differs from the argument's type"},
      {"%x: Tensor[(0, 4, 5, 5), float32]", "image.resize2d(%x, size=[4, 4])",
       "the argument has no elements"},
      {kImage, "nn.upsampling(%x, scale_h=1.5f)", "only whole factors are supported"},
      {kImage, "nn.upsampling(%x, scale_h=1e9f)", "only whole factors are supported"},
  });
}

TEST(RelayFaults, Quantization) {
  constexpr const char* kXQ = "%x: Tensor[(2), float32], %q: Tensor[(2), int8], %z: int32";
  ExpectFaults({
      {kXQ, "qnn.quantize(%x, 1f, 0, out_dtype=\"int32\")",
       "'out_dtype' is neither int8 nor uint8"},
      {kXQ, "qnn.quantize(%x, 1f, %z)", "the zero point is no constant number"},
      {kXQ, "qnn.quantize(%x, 1f, 128)", "the zero point 128 is outside of the type"},
      {kXQ, "qnn.quantize(%x, %x, 0)", "the scale is no float32 scalar"},
      {kXQ, "qnn.quantize(%q, 1f, 0)", "the data is not float32"},
      {kXQ, "qnn.dequantize(%x, 1f, 0)", "the data is neither int8, uint8 nor int32"},
      {kXQ, "qnn.dequantize(%q, 1f, 200)", "the zero point 200 is outside of the type"},
      {kXQ, "qnn.dequantize(%q, 1f, 0, out_dtype=\"float16\")", "'out_dtype' is not float32"},
  });
}

}  // namespace
}  // namespace opass::frontends::relay
