// Normalization, softmax, dropout: as at inference.
#include "opass/frontends/relay/operators.h"

namespace opass::frontends::relay {
namespace {

// Scale, offset and the like: vectors of the size of an axis.
void ExpectVectors(Call& call, std::int64_t size) {
  for (std::size_t i = 1; i < call.num_arguments(); ++i) {
    call.ExpectSameType(0, i);
    if (call.DimsOf(i) != Dims{size}) call.Fail("the shapes do not fit");
  }
}

// Fields 1 and 2 of the result are the running mean and variance, unchanged.
Item BatchNorm(Call& call) {
  const Dims dims = call.DimsOf(0);
  call.Expect("axis", 1, 1);
  call.Expect("center", 1, 1);
  call.Expect("scale", 1, 1);
  const auto epsilon = static_cast<float>(call.Float("epsilon", 1e-5));
  if (dims.size() < 2) call.Fail("the data needs two dimensions or more");
  if (call.failed()) return {};
  ExpectVectors(call, dims[1]);
  if (call.failed()) return {};
  std::vector<ir::ValueId> inputs;
  for (std::size_t i = 0; i < call.num_arguments(); ++i) inputs.push_back(call.argument(i));
  const ir::ValueId result = call.builder().Add("BatchNormalization", inputs, call.ElementOf(0),
                                                dims, {{"epsilon", epsilon}});
  return Item::Tuple({result, call.argument(3), call.argument(4)});
}

Item LayerNorm(Call& call) {
  const Dims dims = call.DimsOf(0);
  const std::size_t axis = call.Axis(call.Int("axis", -1), dims.size());
  call.Expect("center", 1, 1);
  call.Expect("scale", 1, 1);
  const auto epsilon = static_cast<float>(call.Float("epsilon", 1e-5));
  if (call.failed()) return {};
  if (axis + 1 != dims.size()) return call.Fail("only the last axis is supported");
  ExpectVectors(call, dims[axis]);
  if (call.failed()) return {};
  return call.builder().Add(
      "LayerNormalization", {call.argument(0), call.argument(1), call.argument(2)},
      call.ElementOf(0), dims, {{"axis", std::int64_t{-1}}, {"epsilon", epsilon}});
}

Item Softmax(Call& call) {
  const Dims dims = call.DimsOf(0);
  const std::size_t axis = call.Axis(call.Int("axis", -1), dims.size());
  if (call.failed()) return {};
  return call.builder().Add("Softmax", {call.argument(0)}, call.ElementOf(0), dims,
                            {{"axis", static_cast<std::int64_t>(axis)}});
}

Item Dropout(Call& call) {
  call.Ignore("rate");
  Item mask;
  mask.unknown = "the mask of nn.dropout does not exist at inference";
  const ir::ValueId result =
      call.builder().Add("Identity", {call.argument(0)}, call.ElementOf(0), call.DimsOf(0));
  return Item::Tuple({result, mask});
}

constexpr Operator kRows[] = {
    {"nn.batch_norm", 5, 5, BatchNorm},
    {"nn.dropout", 1, 1, Dropout},
    {"nn.layer_norm", 3, 3, LayerNorm},
    {"nn.softmax", 1, 1, Softmax},
};

}  // namespace

std::span<const Operator> NormalizationOperators() { return kRows; }

}  // namespace opass::frontends::relay
