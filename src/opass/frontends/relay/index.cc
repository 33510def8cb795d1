// Operators that read integers as places.
#include "opass/frontends/relay/operators.h"

namespace opass::frontends::relay {
namespace {

using ir::DataType;

bool IsIndex(DataType type) { return type == DataType::kInt32 || type == DataType::kInt64; }

// mode="clip" moves an index from outside to the nearest element.
Item Take(Call& call) {
  Builder& builder = call.builder();
  const Dims dims = call.DimsOf(0);
  const Dims places = call.DimsOf(1);
  const auto listed = call.Ints("axis");
  call.Expect("batch_dims", 0, 0);
  call.Expect("mode", "clip");
  if (!listed || listed->size() != 1) call.Fail("'axis' must be one axis");
  if (!IsIndex(call.ElementOf(1))) call.Fail("the indices are neither int32 nor int64");
  if (call.failed()) return {};
  const std::size_t axis = call.Axis((*listed)[0], dims.size());
  if (call.failed()) return {};
  if (dims[axis] == 0) return call.Fail("the axis has no elements");
  const DataType type = call.ElementOf(1);
  const ir::ValueId clipped =
      builder.Add("Clip",
                  {call.argument(1), builder.Scalar(type, 0),
                   builder.Scalar(type, static_cast<double>(dims[axis] - 1))},
                  type, places);
  Dims result(dims.begin(), dims.begin() + static_cast<std::ptrdiff_t>(axis));
  result.insert(result.end(), places.begin(), places.end());
  result.insert(result.end(), dims.begin() + static_cast<std::ptrdiff_t>(axis) + 1, dims.end());
  return builder.Add("Gather", {call.argument(0), clipped}, call.ElementOf(0), result,
                     {{"axis", static_cast<std::int64_t>(axis)}});
}

// The two numbers may have another type than the result.
Item OneHot(Call& call) {
  Builder& builder = call.builder();
  Dims dims = call.DimsOf(0);
  const std::int64_t depth = call.Int("depth", 0);
  const std::int64_t axis = call.Int("axis", -1);
  const DataType type = call.Type("dtype", DataType::kFloat);
  const std::size_t place = call.Axis(axis, dims.size() + 1);
  if (depth < 1) call.Fail("'depth' must be 1 or more");
  if (!IsIndex(call.ElementOf(0))) call.Fail("the indices are neither int32 nor int64");
  for (const std::size_t i : {1, 2}) {
    if (!call.DimsOf(i).empty()) call.Fail("the two numbers must be scalars");
  }
  if (call.failed()) return {};
  const auto number = [&](std::size_t i) {
    return builder.Reshape(builder.Cast(call.argument(i), type), {1});
  };
  const ir::ValueId on = number(1);
  const ir::ValueId values =
      builder.Add("Concat", {number(2), on}, type, {2}, {{"axis", std::int64_t{0}}});
  dims.insert(dims.begin() + static_cast<std::ptrdiff_t>(place), depth);
  // The runtime has no kernel for int32.
  const ir::ValueId indices = builder.Cast(call.argument(0), DataType::kInt64);
  return builder.Add(
      "OneHot", {indices, builder.Scalar(DataType::kInt64, static_cast<double>(depth)), values},
      type, dims, {{"axis", static_cast<std::int64_t>(place)}});
}

constexpr Operator kRows[] = {
    {"one_hot", 3, 3, OneHot},
    {"take", 2, 2, Take},
};

}  // namespace

std::span<const Operator> IndexOperators() { return kRows; }

}  // namespace opass::frontends::relay
