// Convolutions of images in the layout NCHW.
#include <fmt/format.h>

#include "opass/frontends/relay/operators.h"
#include "opass/frontends/relay/window.h"

namespace opass::frontends::relay {
namespace {

// Two arguments of rank 4 and one type, the usual layouts, and a kernel that is as declared.
void ExpectConvolution(Call& call, std::string_view kernel_layout) {
  call.ExpectRank(0, 4);
  call.ExpectRank(1, 4);
  call.ExpectSameType(0, 1);
  call.Expect("data_layout", "NCHW");
  call.Expect("out_layout", "NCHW");
  call.Expect("kernel_layout", kernel_layout);
  if (call.Type("out_dtype", call.ElementOf(0)) != call.ElementOf(0)) {
    call.Fail("'out_dtype' differs from the arguments' type");
  }
}

// channels and kernel_size, where they are given, must be the weight's.
void ExpectDeclared(Call& call, std::int64_t channels, const Dims& kernel) {
  const auto declared = call.Ints("channels");
  const auto kernel_size = call.Ints("kernel_size");
  if (declared && *declared != Dims{channels}) call.Fail("'channels' is not the weight's");
  if (kernel_size && *kernel_size != kernel) call.Fail("'kernel_size' is not the weight's");
}

Item Conv2d(Call& call) {
  ExpectConvolution(call, "OIHW");
  const std::int64_t groups = call.Int("groups", 1);
  if (groups < 1) call.Fail("'groups' must be 1 or more");
  if (call.failed()) return {};
  const Dims data = call.DimsOf(0);
  const Dims weight = call.DimsOf(1);
  const Window window = ReadWindow(call, {weight[2], weight[3]});
  ExpectDeclared(call, weight[0], window.kernel);
  if (call.failed()) return {};
  const Dims places = NumPlaces(window, {data[2], data[3]});
  // Divided, because a product might overflow.
  const bool fits = data[1] % groups == 0 && weight[1] == data[1] / groups;
  if (!fits || weight[0] % groups != 0 || places[0] < 1 || places[1] < 1) {
    return call.Fail("the shapes do not fit");
  }
  auto attributes = AttributesOf(window);
  attributes.push_back({"group", groups});
  return call.builder().Add("Conv", {call.argument(0), call.argument(1)}, call.ElementOf(0),
                            {data[0], weight[0], places[0], places[1]}, std::move(attributes));
}

// The weight is [channels in, channels out / groups, height, width].
Item Conv2dTranspose(Call& call) {
  ExpectConvolution(call, "IOHW");
  call.Expect("groups", 1, 1);
  const Dims extra = call.Pair("output_padding", 0, 0);
  if (call.failed()) return {};
  const Dims data = call.DimsOf(0);
  const Dims weight = call.DimsOf(1);
  const Window window = ReadWindow(call, {weight[2], weight[3]});
  ExpectDeclared(call, weight[1], window.kernel);
  if (call.failed()) return {};
  Dims dims = {data[0], weight[1]};
  for (std::size_t i = 0; i < 2; ++i) {
    const std::int64_t span = window.dilation[i] * (window.kernel[i] - 1) + 1;
    // Sizes fit 46 bits: this one must be compared before it is multiplied.
    const std::int64_t steps = data[2 + i] < INT32_MAX ? data[2 + i] - 1 : 0;
    dims.push_back(steps * window.strides[i] - window.padding[i] - window.padding[i + 2] + span +
                   extra[i]);
    if (dims.back() < 1 || data[2 + i] < 1 || data[2 + i] >= INT32_MAX) {
      return call.Fail("the shapes do not fit");
    }
  }
  if (weight[0] != data[1]) return call.Fail("the shapes do not fit");
  auto attributes = AttributesOf(window);
  attributes.push_back({"output_padding", extra});
  return call.builder().Add("ConvTranspose", {call.argument(0), call.argument(1)},
                            call.ElementOf(0), dims, std::move(attributes));
}

// The window of the convolution whose weight is asked for; a fault where the arguments, its
// result's gradient and its data, do not belong to it.
Window ReadForward(Call& call) {
  call.ExpectRank(0, 4);
  call.ExpectRank(1, 4);
  call.ExpectSameType(0, 1);
  call.Expect("grad_layout", "NCHW");
  call.Expect("data_layout", "NCHW");
  call.Expect("kernel_layout", "NCHW");
  call.Expect("out_layout", "OIHW");
  call.Expect("groups", 1, 1);
  Window forward = ReadWindow(call, call.Pair("kernel_size", 1));
  if (forward.dilation != Dims{1, 1}) call.Fail("only dilation 1 is supported");
  if (call.Type("out_dtype", call.ElementOf(0)) != call.ElementOf(0)) {
    call.Fail("'out_dtype' differs from the arguments' type");
  }
  const auto channels = call.Ints("channels");
  if (call.failed()) return forward;
  const Dims gradient = call.DimsOf(0);
  const Dims data = call.DimsOf(1);
  const Dims places = NumPlaces(forward, {data[2], data[3]});
  if (gradient[0] != data[0] || gradient[2] != places[0] || gradient[3] != places[1] ||
      places[0] < 1 || places[1] < 1) {
    call.Fail("the shapes do not fit");
  }
  if (channels && *channels != Dims{gradient[1]}) call.Fail("'channels' is not the gradient's");
  return forward;
}

// d weight[o, c, i, j] = sum over n, y, x of d out[n, o, y, x] * data[n, c, y*stride + i, ...]: a
// convolution of the data with the gradient as kernel, batch and channels exchanged, the stride as
// dilation. Places behind the last row and column of the kernel fall away.
Item Conv2dBackwardWeight(Call& call) {
  Builder& builder = call.builder();
  const Window forward = ReadForward(call);
  if (call.failed()) return {};
  const Dims gradient = call.DimsOf(0);
  const Dims data = call.DimsOf(1);
  const Dims& kernel = forward.kernel;
  const ir::DataType type = call.ElementOf(0);
  const Window window = {{gradient[2], gradient[3]}, {1, 1}, forward.strides, forward.padding};
  const Dims places = NumPlaces(window, {data[2], data[3]});
  ir::ValueId result =
      builder.Add("Conv",
                  {builder.Transpose(call.argument(1), {1, 0, 2, 3}),
                   builder.Transpose(call.argument(0), {1, 0, 2, 3})},
                  type, {data[1], gradient[1], places[0], places[1]}, AttributesOf(window));
  if (places != kernel) {
    result = builder.Add(
        "Slice", {result, builder.Int64s({0, 0}), builder.Int64s(kernel), builder.Int64s({2, 3})},
        type, {data[1], gradient[1], kernel[0], kernel[1]});
  }
  return builder.Transpose(result, {1, 0, 2, 3});
}

constexpr Operator kRows[] = {
    {"nn.conv2d", 2, 2, Conv2d},
    {"nn.conv2d_backward_weight", 2, 2, Conv2dBackwardWeight},
    {"nn.conv2d_transpose", 2, 2, Conv2dTranspose},
};

}  // namespace

std::span<const Operator> ConvolutionOperators() { return kRows; }

}  // namespace opass::frontends::relay
