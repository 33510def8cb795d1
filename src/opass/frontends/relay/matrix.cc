// Products of matrices.
#include <algorithm>

#include "opass/frontends/relay/operators.h"

namespace opass::frontends::relay {
namespace {

// data [n, k] times weight [units, k] transposed.
Item Dense(Call& call) {
  Builder& builder = call.builder();
  call.ExpectRank(0, 2);
  call.ExpectRank(1, 2);
  call.ExpectSameType(0, 1);
  const auto units = call.Ints("units");
  const ir::DataType type = call.Type("out_dtype", call.ElementOf(0));
  if (type != call.ElementOf(0)) call.Fail("'out_dtype' differs from the arguments' type");
  if (call.failed()) return {};
  const Dims data = call.DimsOf(0);
  const Dims weight = call.DimsOf(1);
  if (data[1] != weight[1] || (units && *units != Dims{weight[0]})) {
    return call.Fail("the shapes do not fit");
  }
  return builder.Add("Gemm", {call.argument(0), call.argument(1)}, type, {data[0], weight[0]},
                     {{"transB", std::int64_t{1}}});
}

Item BatchMatmul(Call& call) {
  Builder& builder = call.builder();
  call.ExpectRank(0, 3);
  call.ExpectRank(1, 3);
  call.ExpectSameType(0, 1);
  const bool transpose_a = call.Flag("transpose_a", false);
  const bool transpose_b = call.Flag("transpose_b", true);
  const ir::DataType type = call.Type("out_dtype", call.ElementOf(0));
  if (type != call.ElementOf(0)) call.Fail("'out_dtype' differs from the arguments' type");
  if (call.failed()) return {};
  const auto operand = [&](std::size_t i, bool transposed) {
    return transposed ? builder.Transpose(call.argument(i), {0, 2, 1}) : call.argument(i);
  };
  const ir::ValueId a = operand(0, transpose_a);
  const ir::ValueId b = operand(1, transpose_b);
  const Dims left = builder.DimsOf(a);
  const Dims right = builder.DimsOf(b);
  const auto batch = Broadcast({left[0]}, {right[0]});
  if (!batch || left[2] != right[1]) return call.Fail("the shapes do not fit");
  return builder.Add("MatMul", {a, b}, type, {(*batch)[0], left[1], right[2]});
}

Item BiasAdd(Call& call) {
  Builder& builder = call.builder();
  const Dims dims = call.DimsOf(0);
  call.ExpectRank(1, 1);
  call.ExpectSameType(0, 1);
  const std::size_t axis = call.Axis(call.Int("axis", 1), dims.size());
  if (call.failed()) return {};
  if (call.DimsOf(1)[0] != dims[axis]) return call.Fail("the shapes do not fit");
  Dims spread(dims.size() - axis, 1);
  spread[0] = dims[axis];
  const ir::ValueId bias = builder.Reshape(call.argument(1), spread);
  return builder.Add("Add", {call.argument(0), bias}, call.ElementOf(0), dims);
}

constexpr Operator kRows[] = {
    {"nn.batch_matmul", 2, 2, BatchMatmul},
    {"nn.bias_add", 2, 2, BiasAdd},
    {"nn.dense", 2, 2, Dense},
};

}  // namespace

std::span<const Operator> MatrixOperators() { return kRows; }

}  // namespace opass::frontends::relay
