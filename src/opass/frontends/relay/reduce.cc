// Reductions along axes.
#include <limits>
#include <set>

#include "opass/frontends/relay/operators.h"

namespace opass::frontends::relay {
namespace {

using ir::DataType;

// The axes an attribute lists, or all of them, in ascending order.
std::set<std::size_t> Axes(Call& call, std::size_t rank) {
  std::set<std::size_t> axes;
  const auto listed = call.Ints("axis");
  call.Expect("exclude", 0, 0);
  if (listed) {
    for (const std::int64_t axis : *listed) axes.insert(call.Axis(axis, rank));
  } else {
    for (std::size_t axis = 0; axis < rank; ++axis) axes.insert(axis);
  }
  return axes;
}

Dims Reduced(const Dims& dims, const std::set<std::size_t>& axes, bool keeps) {
  Dims reduced;
  for (std::size_t axis = 0; axis < dims.size(); ++axis) {
    if (!axes.contains(axis)) reduced.push_back(dims[axis]);
    if (axes.contains(axis) && keeps) reduced.push_back(1);
  }
  return reduced;
}

// ReduceMax of no elements, as TVM has it: the lowest number of the type; ReduceMin the largest.
double OfNothing(std::string_view onnx) {
  if (onnx == "ReduceSum") return 0;
  // Scalar clamps it to the type.
  constexpr double kLargest = std::numeric_limits<float>::max();
  return onnx == "ReduceMax" ? -kLargest : kLargest;
}

Item Reduce(Call& call) {
  Builder& builder = call.builder();
  const Dims dims = call.DimsOf(0);
  const bool keeps = call.Flag("keepdims", false);
  const std::set<std::size_t> axes = Axes(call, dims.size());
  if (call.failed()) return {};
  const DataType type = call.ElementOf(0);
  const Dims reduced = Reduced(dims, axes, keeps);
  if (Product(dims) == 0) {
    return builder.Filled(builder.Int64s(reduced), reduced, type, OfNothing(call.onnx()));
  }
  // The runtime reduces no bools.
  const DataType computed = type == DataType::kBool ? DataType::kInt32 : type;
  const ir::ValueId data = builder.Cast(call.argument(0), computed);
  const ir::ValueId result = builder.Add(
      call.onnx(), {data, builder.Int64s(Dims(axes.begin(), axes.end()))}, computed, reduced,
      {{"keepdims", std::int64_t{keeps ? 1 : 0}}, {"noop_with_empty_axes", std::int64_t{1}}});
  return builder.Cast(result, type);
}

Item ArgReduce(Call& call) {
  Builder& builder = call.builder();
  Dims dims = call.DimsOf(0);
  const bool keeps = call.Flag("keepdims", false);
  const bool last = call.Flag("select_last_index", false);
  const std::set<std::size_t> axes = Axes(call, dims.size());
  if (axes.size() != 1) call.Fail("only one axis is supported");
  if (Product(dims) == 0) call.Fail("the argument has no elements");
  if (call.failed()) return {};
  const ir::ValueId index =
      builder.Add(call.onnx(), {call.argument(0)}, DataType::kInt64, Reduced(dims, axes, keeps),
                  {{"axis", static_cast<std::int64_t>(*axes.begin())},
                   {"keepdims", std::int64_t{keeps ? 1 : 0}},
                   {"select_last_index", std::int64_t{last ? 1 : 0}}});
  return builder.Cast(index, DataType::kInt32);
}

constexpr Operator kRows[] = {
    {"argmax", 1, 1, ArgReduce, "ArgMax"}, {"argmin", 1, 1, ArgReduce, "ArgMin"},
    {"max", 1, 1, Reduce, "ReduceMax"},    {"min", 1, 1, Reduce, "ReduceMin"},
    {"sum", 1, 1, Reduce, "ReduceSum"},
};

}  // namespace

std::span<const Operator> ReduceOperators() { return kRows; }

}  // namespace opass::frontends::relay
