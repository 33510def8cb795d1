// Operators on single elements. ONNX Runtime has no kernels for 16-bit floats: they are computed in
// float32 and rounded, which for one operation of these gives the correctly rounded result.
#include <fmt/format.h>

#include <algorithm>

#include "opass/frontends/relay/operators.h"

namespace opass::frontends::relay {
namespace {

using ir::DataType;

bool IsHalf(DataType type) { return type == DataType::kFloat16 || type == DataType::kBfloat16; }

// The operator on these inputs, which have one type, with a result of that type or `result`.
Item Compute(Call& call, const std::vector<ir::ValueId>& inputs, const Dims& dims,
             std::vector<ir::Attribute> attributes = {}, DataType result = DataType::kUndefined) {
  Builder& builder = call.builder();
  const DataType type = builder.ElementOf(inputs[0]);
  const DataType computed = IsHalf(type) ? DataType::kFloat : type;
  std::vector<ir::ValueId> operands;
  for (const ir::ValueId input : inputs) operands.push_back(builder.Cast(input, computed));
  if (result != DataType::kUndefined) {
    return builder.Add(call.onnx(), operands, result, dims, std::move(attributes));
  }
  return builder.Cast(
      builder.Add(call.onnx(), std::move(operands), computed, dims, std::move(attributes)), type);
}

Item Unary(Call& call) { return Compute(call, {call.argument(0)}, call.DimsOf(0)); }

Item FloatUnary(Call& call) {
  const DataType type = call.ElementOf(0);
  if (IsHalf(type) || type == DataType::kFloat || type == DataType::kDouble) return Unary(call);
  return call.Fail(
      fmt::format("the argument is no float: {}", call.builder().Describe(call.argument(0))));
}

Item LeakyRelu(Call& call) {
  const auto alpha = static_cast<float>(call.Float("alpha", 0.01));
  return Compute(call, {call.argument(0)}, call.DimsOf(0), {{"alpha", alpha}});
}

// The broadcast shape of arguments `first` and on; a fault when there is none.
Dims BroadcastDims(Call& call, std::size_t first) {
  Dims dims = call.DimsOf(first);
  for (std::size_t i = first + 1; i < call.num_arguments(); ++i) {
    const auto both = Broadcast(dims, call.DimsOf(i));
    if (!both) {
      call.Fail(fmt::format("the shapes do not fit: {} and {}",
                            call.builder().Describe(call.argument(first)),
                            call.builder().Describe(call.argument(i))));
      return {};
    }
    dims = *both;
  }
  return dims;
}

Item Binary(Call& call) {
  call.ExpectSameType(0, 1);
  const Dims dims = BroadcastDims(call, 0);
  if (call.failed()) return {};
  return Compute(call, {call.argument(0), call.argument(1)}, dims);
}

Item Comparison(Call& call) {
  call.ExpectSameType(0, 1);
  const Dims dims = BroadcastDims(call, 0);
  if (call.failed()) return {};
  return Compute(call, {call.argument(0), call.argument(1)}, dims, {}, DataType::kBool);
}

Item Where(Call& call) {
  call.ExpectSameType(1, 2);
  const Dims dims = BroadcastDims(call, 0);
  if (call.ElementOf(0) != DataType::kBool) call.Fail("the condition is not bool");
  if (call.failed()) return {};
  return call.builder().Add("Where", {call.argument(0), call.argument(1), call.argument(2)},
                            call.ElementOf(1), dims);
}

// The bounds are rounded to the type, so that 16-bit floats are clipped to what they can hold.
Item Clip(Call& call) {
  Builder& builder = call.builder();
  const DataType type = call.ElementOf(0);
  const double low = call.Float("a_min", 0);
  const double high = call.Float("a_max", 0);
  if (call.failed()) return {};
  const DataType computed = IsHalf(type) ? DataType::kFloat : type;
  const auto bound = [&](double value) {
    return builder.Cast(builder.Scalar(type, value), computed);
  };
  const ir::ValueId data = builder.Cast(call.argument(0), computed);
  return builder.Cast(
      builder.Add("Clip", {data, bound(low), bound(high)}, computed, call.DimsOf(0)), type);
}

constexpr Operator kRows[] = {
    {"abs", 1, 1, Unary, "Abs"},
    {"add", 2, 2, Binary, "Add"},
    {"annotation.stop_fusion", 1, 1, Unary, "Identity"},
    {"clip", 1, 1, Clip},
    {"divide", 2, 2, Binary, "Div"},
    {"equal", 2, 2, Comparison, "Equal"},
    {"erf", 1, 1, FloatUnary, "Erf"},
    {"exp", 1, 1, FloatUnary, "Exp"},
    {"greater", 2, 2, Comparison, "Greater"},
    {"less", 2, 2, Comparison, "Less"},
    {"log", 1, 1, FloatUnary, "Log"},
    {"maximum", 2, 2, Binary, "Max"},
    {"minimum", 2, 2, Binary, "Min"},
    {"multiply", 2, 2, Binary, "Mul"},
    {"negative", 1, 1, Unary, "Neg"},
    {"nn.leaky_relu", 1, 1, LeakyRelu, "LeakyRelu"},
    {"nn.relu", 1, 1, Unary, "Relu"},
    {"power", 2, 2, Binary, "Pow"},
    {"sigmoid", 1, 1, FloatUnary, "Sigmoid"},
    {"sqrt", 1, 1, FloatUnary, "Sqrt"},
    {"subtract", 2, 2, Binary, "Sub"},
    {"tanh", 1, 1, FloatUnary, "Tanh"},
    {"where", 3, 3, Where},
};

}  // namespace

std::span<const Operator> ElementwiseOperators() { return kRows; }

}  // namespace opass::frontends::relay
