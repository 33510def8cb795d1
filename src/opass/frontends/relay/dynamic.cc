// Shapes as values. All of them must be known while the program is read: they come from shape_of of
// a tensor, or are constants. Relay's type of such a result has open dimensions; ours has none.
#include <fmt/format.h>

#include <algorithm>

#include "opass/frontends/relay/operators.h"
#include "opass/frontends/relay/reshape.h"

namespace opass::frontends::relay {
namespace {

using ir::DataType;

Item ShapeOf(Call& call) {
  Builder& builder = call.builder();
  const DataType type = call.Type("dtype", DataType::kInt32);
  const Dims dims = call.DimsOf(0);
  if (type != DataType::kInt32 && type != DataType::kInt64)
    call.Fail("'dtype' is no int32 or int64");
  if (call.failed()) return {};
  const ir::ValueId shape = builder.Cast(builder.ShapeOf(call.argument(0)), type);
  builder.SetKnown(shape, dims);
  return shape;
}

Item Size(Call& call) {
  Builder& builder = call.builder();
  const DataType type = call.Type("dtype", DataType::kInt32);
  if (call.failed()) return {};
  return builder.Cast(builder.Add("Size", {call.argument(0)}, DataType::kInt64, {}), type);
}

// The values of an argument that is a shape; a fault when they are not known.
Dims KnownShape(Call& call, std::size_t i) {
  const Dims* known = call.builder().Known(call.argument(i));
  const bool is_shape = known != nullptr && call.DimsOf(i).size() == 1;
  if (!is_shape) call.Fail("the shape is not known: it is neither a constant nor from shape_of");
  return is_shape ? *known : Dims();
}

Item DynReshape(Call& call) {
  Builder& builder = call.builder();
  const Dims wanted = KnownShape(call, 1);
  call.Ignore("newshape");
  const bool allow_zero = call.Flag("allowzero", false);
  if (call.failed()) return {};
  const auto dims = ReshapedDims(call.DimsOf(0), wanted, allow_zero);
  if (!dims) {
    return call.Fail(fmt::format("{} has no shape [{}]", builder.Describe(call.argument(0)),
                                 fmt::join(wanted, ", ")));
  }
  // A shape with -1 and 0 in it is written out, so that it means the same in ONNX.
  const ir::ValueId shape =
      wanted == *dims ? builder.Cast(call.argument(1), DataType::kInt64) : builder.Int64s(*dims);
  return builder.Add("Reshape", {call.argument(0), shape}, call.ElementOf(0), *dims,
                     {{"allowzero", std::int64_t{1}}});
}

// A shape for ONNX of which no size is negative.
Dims SizesOf(Call& call, std::size_t i) {
  const Dims sizes = KnownShape(call, i);
  if (!sizes.empty() && std::ranges::min(sizes) < 0) call.Fail("a size is negative");
  call.Ignore("shape");
  return sizes;
}

Item DynBroadcastTo(Call& call) {
  Builder& builder = call.builder();
  const Dims dims = SizesOf(call, 1);
  call.Ignore("dtype");
  if (call.failed()) return {};
  if (Broadcast(call.DimsOf(0), dims) != dims) {
    return call.Fail(fmt::format("{} cannot be broadcast to [{}]",
                                 builder.Describe(call.argument(0)), fmt::join(dims, ", ")));
  }
  return builder.Add("Expand", {call.argument(0), builder.Cast(call.argument(1), DataType::kInt64)},
                     call.ElementOf(0), dims);
}

Item DynFilled(Call& call, double value) {
  Builder& builder = call.builder();
  const Dims dims = SizesOf(call, 0);
  const DataType type = call.Type("dtype", DataType::kFloat);
  if (call.failed()) return {};
  return builder.Filled(builder.Cast(call.argument(0), DataType::kInt64), dims, type, value);
}

Item DynOnes(Call& call) { return DynFilled(call, 1); }
Item DynZeros(Call& call) { return DynFilled(call, 0); }

constexpr Operator kRows[] = {
    {"dyn.broadcast_to", 2, 2, DynBroadcastTo},
    {"dyn.ones", 1, 1, DynOnes},
    {"dyn.reshape", 2, 2, DynReshape},
    {"dyn.zeros", 1, 1, DynZeros},
    {"ndarray_size", 1, 1, Size},
    {"shape_of", 1, 1, ShapeOf},
};

}  // namespace

std::span<const Operator> DynamicOperators() { return kRows; }

}  // namespace opass::frontends::relay
