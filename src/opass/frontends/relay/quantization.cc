// Quantization with one scale and one zero point for the whole tensor.
//
// TVM rounds halves away from zero, QuantizeLinear to even, so qnn.quantize is written out, as a
// chain in which every step reads the one before it alone: a single tensor of floats is live.
//
// Twice the quotient with its fraction cut off, t, tells the result: half of t, rounded away from
// zero. t times a little more than one half lies beyond the tie where t is odd, and Round goes the
// right way. No step rounds: t has at most ten bits after clipping, the factor twelve.
#include <fmt/format.h>

#include <cmath>

#include "opass/frontends/relay/operators.h"

namespace opass::frontends::relay {
namespace {

using ir::DataType;

constexpr double kAboveHalf = 0.5 + 0x1p-12;

struct Range {
  double low = 0;
  double high = 0;
};
std::optional<Range> RangeOf(DataType type) {
  if (type == DataType::kInt8) return Range{-128, 127};
  if (type == DataType::kUint8) return Range{0, 255};
  return std::nullopt;
}

// The zero point; a fault when it is no constant integer of the type.
double ZeroPoint(Call& call, const Range& range) {
  const Dims* known = call.builder().Known(call.argument(2));
  if (known == nullptr || known->size() != 1) {
    call.Fail("the zero point is no constant number");
    return 0;
  }
  const auto zero_point = static_cast<double>((*known)[0]);
  if (zero_point < range.low || zero_point > range.high) {
    call.Fail(fmt::format("the zero point {} is outside of the type", (*known)[0]));
  }
  return zero_point;
}

void ExpectScale(Call& call) {
  const bool is_scalar = call.DimsOf(1).empty() && call.ElementOf(1) == DataType::kFloat;
  if (!is_scalar) call.Fail("the scale is no float32 scalar");
  call.Ignore("axis");  // of scales that are vectors
}

// x -> q = round(cut(clip(2 * (x / scale))) * above half) + zero point
Item Quantize(Call& call) {
  Builder& builder = call.builder();
  const DataType type = call.Type("out_dtype", DataType::kInt8);
  const auto range = RangeOf(type);
  if (!range) return call.Fail("'out_dtype' is neither int8 nor uint8");
  const double zero_point = ZeroPoint(call, *range);
  ExpectScale(call);
  if (call.ElementOf(0) != DataType::kFloat) call.Fail("the data is not float32");
  if (call.failed()) return {};
  constexpr DataType kFloat = DataType::kFloat;
  const Dims dims = call.DimsOf(0);
  const auto scalar = [&](double number) { return builder.Scalar(kFloat, number); };
  const ir::ValueId quotient =
      builder.Add("Div", {call.argument(0), call.argument(1)}, kFloat, dims);
  const ir::ValueId twice = builder.Add("Mul", {quotient, scalar(2)}, kFloat, dims);
  const ir::ValueId clipped = builder.Add(
      "Clip",
      {twice, scalar(2 * (range->low - zero_point)), scalar(2 * (range->high - zero_point))},
      kFloat, dims);
  const ir::ValueId halves = builder.Cast(builder.Cast(clipped, DataType::kInt32), kFloat);
  const ir::ValueId nudged = builder.Add("Mul", {halves, scalar(kAboveHalf)}, kFloat, dims);
  ir::ValueId whole = builder.Add("Round", {nudged}, kFloat, dims);
  if (zero_point != 0) whole = builder.Add("Add", {whole, scalar(zero_point)}, kFloat, dims);
  return builder.Cast(whole, type);
}

Item Dequantize(Call& call) {
  Builder& builder = call.builder();
  const DataType type = call.ElementOf(0);
  const auto range = type == DataType::kInt32 ? Range{INT32_MIN, INT32_MAX} : RangeOf(type);
  if (!range) return call.Fail("the data is neither int8, uint8 nor int32");
  const double zero_point = ZeroPoint(call, *range);
  ExpectScale(call);
  if (call.Type("out_dtype", DataType::kFloat) != DataType::kFloat) {
    call.Fail("'out_dtype' is not float32");
  }
  if (call.failed()) return {};
  const Dims dims = call.DimsOf(0);
  if (type != DataType::kInt32) {
    return builder.Add("DequantizeLinear",
                       {call.argument(0), call.argument(1), builder.Scalar(type, zero_point)},
                       DataType::kFloat, dims);
  }
  // DequantizeLinear takes no zero point for int32.
  ir::ValueId data = call.argument(0);
  if (zero_point != 0) {
    data = builder.Add("Sub", {data, builder.Scalar(type, zero_point)}, type, dims);
  }
  return builder.Add("Mul", {builder.Cast(data, DataType::kFloat), call.argument(1)},
                     DataType::kFloat, dims);
}

constexpr Operator kRows[] = {
    {"qnn.dequantize", 3, 3, Dequantize},
    {"qnn.quantize", 3, 3, Quantize},
};

}  // namespace

std::span<const Operator> QuantizationOperators() { return kRows; }

}  // namespace opass::frontends::relay
