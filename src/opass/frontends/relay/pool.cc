// Pooling of images in the layout NCHW, and its gradients.
#include "opass/frontends/relay/operators.h"
#include "opass/frontends/relay/window.h"

namespace opass::frontends::relay {
namespace {

using ir::DataType;

// The attributes that all poolings have.
Window ReadPool(Call& call) {
  call.Expect("layout", "NCHW");
  call.Expect("out_layout", "NCHW");
  call.Expect("ceil_mode", 0, 0);
  return ReadWindow(call, call.Pair("pool_size", 1));
}

// The shape of the result; a fault where the window does not fit.
Dims PooledDims(Call& call, const Window& window, const Dims& dims) {
  if (dims.size() != 4) {
    call.Fail("the data must have 4 dimensions");
    return {};
  }
  const Dims places = NumPlaces(window, {dims[2], dims[3]});
  if (places[0] < 1 || places[1] < 1) call.Fail("the window is larger than the data");
  for (std::size_t i = 0; i < 4; ++i) {
    if (window.padding[i] >= window.kernel[i % 2])
      call.Fail("the padding is as large as the window");
  }
  return {dims[0], dims[1], places[0], places[1]};
}

Item MaxPool(Call& call) {
  const Window window = ReadPool(call);
  const Dims dims = PooledDims(call, window, call.DimsOf(0));
  if (call.failed()) return {};
  return call.builder().Add("MaxPool", {call.argument(0)}, call.ElementOf(0), dims,
                            AttributesOf(window));
}

Item AvgPool(Call& call) {
  const Window window = ReadPool(call);
  const std::int64_t counts_padding = call.Flag("count_include_pad", false) ? 1 : 0;
  const Dims dims = PooledDims(call, window, call.DimsOf(0));
  if (call.failed()) return {};
  auto attributes = AttributesOf(window);
  attributes.push_back({"count_include_pad", counts_padding});
  return call.builder().Add("AveragePool", {call.argument(0)}, call.ElementOf(0), dims,
                            std::move(attributes));
}

Item GlobalMaxPool(Call& call) {
  call.Expect("layout", "NCHW");
  call.Expect("out_layout", "NCHW");
  call.ExpectRank(0, 4);
  if (call.failed()) return {};
  const Dims dims = call.DimsOf(0);
  if (dims[2] == 0 || dims[3] == 0) return call.Fail("the argument has no elements");
  return call.builder().Add("GlobalMaxPool", {call.argument(0)}, call.ElementOf(0),
                            {dims[0], dims[1], 1, 1});
}

// Every window's gradient goes to the element that was its largest.
Item MaxPoolGrad(Call& call) {
  Builder& builder = call.builder();
  const Window window = ReadPool(call);
  const Dims dims = call.DimsOf(1);
  const Dims pooled = PooledDims(call, window, dims);
  call.ExpectSameType(0, 1);
  if (!call.failed() && call.DimsOf(0) != pooled) call.Fail("the shapes do not fit");
  if (call.failed()) return {};
  const DataType type = call.ElementOf(1);
  const Dims flat = {*Product(dims)};
  const Dims flat_pooled = {*Product(pooled)};
  const ir::ValueId places =
      builder.AddMany("MaxPool", {call.argument(1)}, {{type, pooled}, {DataType::kInt64, pooled}},
                      AttributesOf(window))[1];
  const ir::ValueId scattered = builder.Add(
      "ScatterElements",
      {builder.Filled(builder.Int64s(flat), flat, type, 0), builder.Reshape(places, flat_pooled),
       builder.Reshape(call.argument(0), flat_pooled)},
      type, flat, {{"axis", std::int64_t{0}}, {"reduction", std::string("add")}});
  return builder.Reshape(scattered, dims);
}

// One window over the whole image: every element gets the same share.
Item AvgPoolGrad(Call& call) {
  Builder& builder = call.builder();
  const Window window = ReadPool(call);
  call.Ignore("count_include_pad");  // there is no padding
  const Dims dims = call.DimsOf(1);
  const Dims pooled = PooledDims(call, window, dims);
  call.ExpectSameType(0, 1);
  if (!call.failed() && call.DimsOf(0) != pooled) call.Fail("the shapes do not fit");
  if (call.failed()) return {};
  const bool is_global = window.padding == Dims{0, 0, 0, 0} && window.dilation == Dims{1, 1} &&
                         window.kernel == Dims{dims[2], dims[3]};
  if (!is_global) return call.Fail("only one window over the whole data is supported");
  const DataType type = call.ElementOf(1);
  const ir::ValueId count = builder.Scalar(type, static_cast<double>(dims[2] * dims[3]));
  const ir::ValueId share = builder.Add("Div", {call.argument(0), count}, type, pooled);
  return builder.Add("Expand", {share, builder.ShapeOf(call.argument(1))}, type, dims);
}

constexpr Operator kRows[] = {
    {"nn.avg_pool2d", 1, 1, AvgPool},
    {"nn.avg_pool2d_grad", 2, 2, AvgPoolGrad},
    {"nn.global_max_pool2d", 1, 1, GlobalMaxPool},
    {"nn.max_pool2d", 1, 1, MaxPool},
    {"nn.max_pool2d_grad", 2, 2, MaxPoolGrad},
};

}  // namespace

std::span<const Operator> PoolOperators() { return kRows; }

}  // namespace opass::frontends::relay
