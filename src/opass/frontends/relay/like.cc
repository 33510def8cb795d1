// Operators that make a tensor like another one. The other is read for its shape alone, and is read
// nevertheless, because that is what the program says: its life ends earlier when folding finds
// that the shape is known.
#include <fmt/format.h>

#include <algorithm>

#include "opass/frontends/relay/operators.h"

namespace opass::frontends::relay {
namespace {

using ir::DataType;

Item FilledLike(Call& call, double value) {
  Builder& builder = call.builder();
  const ir::ValueId shape = builder.ShapeOf(call.argument(0));
  return builder.Filled(shape, call.DimsOf(0), call.ElementOf(0), value);
}

Item OnesLike(Call& call) { return FilledLike(call, 1); }
Item ZerosLike(Call& call) { return FilledLike(call, 0); }

Item Filled(Call& call, double value) {
  Builder& builder = call.builder();
  const auto dims = call.Ints("shape");
  const DataType type = call.Type("dtype", DataType::kFloat);
  if (!dims || (!dims->empty() && std::ranges::min(*dims) < 0)) {
    call.Fail("'shape' must be a list of sizes");
  }
  if (call.failed()) return {};
  return builder.Filled(builder.Int64s(*dims), *dims, type, value);
}

Item Ones(Call& call) { return Filled(call, 1); }
Item Zeros(Call& call) { return Filled(call, 0); }

// `id` with this shape, which it must fit.
Item Expand(Call& call, ir::ValueId id, ir::ValueId shape, const Dims& dims) {
  Builder& builder = call.builder();
  if (Broadcast(builder.DimsOf(id), dims) != dims) {
    return call.Fail(
        fmt::format("{} cannot be broadcast to [{}]", builder.Describe(id), fmt::join(dims, ", ")));
  }
  return builder.Add("Expand", {id, shape}, builder.ElementOf(id), dims);
}

Item FullLike(Call& call) {
  Builder& builder = call.builder();
  if (Product(call.DimsOf(1)) != 1) return call.Fail("the second argument is no single number");
  const ir::ValueId number = builder.Reshape(builder.Cast(call.argument(1), call.ElementOf(0)), {});
  return Expand(call, number, builder.ShapeOf(call.argument(0)), call.DimsOf(0));
}

Item BroadcastToLike(Call& call) {
  return Expand(call, call.argument(0), call.builder().ShapeOf(call.argument(1)), call.DimsOf(1));
}

Item ReshapeLike(Call& call) {
  Builder& builder = call.builder();
  const Dims dims = call.DimsOf(1);
  for (const char* name : {"lhs_begin", "rhs_begin"}) call.Expect(name, 0, 0);
  for (const char* name : {"lhs_end", "rhs_end"}) {
    if (call.Ints(name)) call.Fail("ranges of axes are not supported");
  }
  if (Product(call.DimsOf(0)) != Product(dims)) call.Fail("the numbers of elements differ");
  if (call.failed()) return {};
  return builder.Add("Reshape", {call.argument(0), builder.ShapeOf(call.argument(1))},
                     call.ElementOf(0), dims, {{"allowzero", std::int64_t{1}}});
}

// Sums along the axes in which the second argument would have been broadcast.
Item CollapseSumLike(Call& call) {
  Builder& builder = call.builder();
  const Dims from = call.DimsOf(0);
  const Dims to = call.DimsOf(1);
  if (Broadcast(from, to) != from) {
    return call.Fail(fmt::format("{} cannot be summed to {}", builder.Describe(call.argument(0)),
                                 builder.Describe(call.argument(1))));
  }
  const std::size_t skipped = from.size() - to.size();
  Dims axes;
  Dims kept = from;
  for (std::size_t i = 0; i < from.size(); ++i) {
    if (i >= skipped && to[i - skipped] == from[i]) continue;
    axes.push_back(static_cast<std::int64_t>(i));
    kept[i] = 1;
  }
  ir::ValueId sum = call.argument(0);
  if (!axes.empty())
    sum = builder.Add("ReduceSum", {sum, builder.Int64s(axes)}, call.ElementOf(0), kept);
  return builder.Add("Reshape", {sum, builder.ShapeOf(call.argument(1))}, call.ElementOf(0), to,
                     {{"allowzero", std::int64_t{1}}});
}

constexpr Operator kRows[] = {
    {"broadcast_to_like", 2, 2, BroadcastToLike},
    {"collapse_sum_like", 2, 2, CollapseSumLike},
    {"full_like", 2, 2, FullLike},
    {"ones", 0, 0, Ones},
    {"ones_like", 1, 1, OnesLike},
    {"reshape_like", 2, 2, ReshapeLike},
    {"zeros", 0, 0, Zeros},
    {"zeros_like", 1, 1, ZerosLike},
};

}  // namespace

std::span<const Operator> LikeOperators() { return kRows; }

}  // namespace opass::frontends::relay
