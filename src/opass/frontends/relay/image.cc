// Images made larger or smaller, in the layout NCHW.
#include <cmath>

#include "opass/frontends/relay/operators.h"
#include "opass/support/bytes.h"

namespace opass::frontends::relay {
namespace {

Item Resize2d(Call& call) {
  Builder& builder = call.builder();
  const Dims size = call.Pair("size", 1);
  call.Expect("layout", "NCHW");
  call.Expect("method", "linear");
  call.Expect("coordinate_transformation_mode", "half_pixel");
  const ir::DataType type = call.Type("out_dtype", call.ElementOf(0));
  // They say something for other methods and modes.
  for (const char* name :
       {"roi", "rounding_method", "cubic_alpha", "cubic_exclude", "extrapolation_value"}) {
    call.Ignore(name);
  }
  call.ExpectRank(0, 4);
  if (type != call.ElementOf(0)) call.Fail("'out_dtype' differs from the argument's type");
  if (call.failed()) return {};
  const Dims dims = call.DimsOf(0);
  const Dims result = {dims[0], dims[1], size[0], size[1]};
  if (Product(dims) == 0) return call.Fail("the argument has no elements");
  return builder.Add("Resize",
                     {call.argument(0), ir::ValueId(), ir::ValueId(), builder.Int64s(result)}, type,
                     result,
                     {{"mode", std::string("linear")},
                      {"coordinate_transformation_mode", std::string("half_pixel")}});
}

Item Upsampling(Call& call) {
  Builder& builder = call.builder();
  const double factors[] = {call.Float("scale_h", 1), call.Float("scale_w", 1)};
  call.Expect("layout", "NCHW");
  call.Expect("method", "nearest_neighbor");
  call.Expect("align_corners", 0, 0);
  call.ExpectRank(0, 4);
  for (const double factor : factors) {
    const bool is_whole = factor >= 1 && factor <= 1 << 20 && factor == std::floor(factor);
    if (!is_whole) call.Fail("only whole factors are supported");
  }
  if (call.failed()) return {};
  Dims dims = call.DimsOf(0);
  for (std::size_t i = 0; i < 2; ++i) {
    dims[2 + i] =
        CheckedMul(dims[2 + i], static_cast<std::int64_t>(factors[i])).value_or(INT64_MAX);
  }
  const std::vector<float> scales = {1, 1, static_cast<float>(factors[0]),
                                     static_cast<float>(factors[1])};
  return builder.Add(
      "Resize",
      {call.argument(0), ir::ValueId(), builder.Constant(ir::Tensor::FromFloats({4}, scales))},
      call.ElementOf(0), dims,
      {{"mode", std::string("nearest")},
       {"coordinate_transformation_mode", std::string("asymmetric")},
       {"nearest_mode", std::string("floor")}});
}

constexpr Operator kRows[] = {
    {"image.resize2d", 1, 1, Resize2d},
    {"nn.upsampling", 1, 1, Upsampling},
};

}  // namespace

std::span<const Operator> ImageOperators() { return kRows; }

}  // namespace opass::frontends::relay
