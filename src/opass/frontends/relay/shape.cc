// Operators that change the shape alone, or the order of the axes.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "opass/frontends/relay/operators.h"
#include "opass/frontends/relay/reshape.h"

namespace opass::frontends::relay {
namespace {

constexpr std::size_t kMaxRank = 32;

Item Reshape(Call& call) {
  const auto wanted = call.Ints("newshape");
  const bool allow_zero = call.Flag("allowzero", false);
  if (!wanted) call.Fail("'newshape' is missing");
  if (call.failed()) return {};
  const auto dims = ReshapedDims(call.DimsOf(0), *wanted, allow_zero);
  if (!dims) {
    return call.Fail(fmt::format("{} has no shape [{}]", call.builder().Describe(call.argument(0)),
                                 fmt::join(*wanted, ", ")));
  }
  return call.builder().Reshape(call.argument(0), *dims);
}

Item Squeeze(Call& call) {
  Builder& builder = call.builder();
  const Dims dims = call.DimsOf(0);
  const auto listed = call.Ints("axis");
  std::set<std::size_t> axes;
  for (const std::int64_t axis : listed.value_or(Dims{})) axes.insert(call.Axis(axis, dims.size()));
  if (call.failed()) return {};
  Dims squeezed;
  for (std::size_t axis = 0; axis < dims.size(); ++axis) {
    const bool goes = listed ? axes.contains(axis) : dims[axis] == 1;
    if (!goes) squeezed.push_back(dims[axis]);
    if (goes && dims[axis] != 1) {
      return call.Fail(fmt::format("axis {} has the size {}, not 1", axis, dims[axis]));
    }
  }
  std::vector<ir::ValueId> inputs = {call.argument(0)};
  if (listed) inputs.push_back(builder.Int64s(Dims(axes.begin(), axes.end())));
  return builder.Add("Squeeze", inputs, call.ElementOf(0), squeezed);
}

Item ExpandDims(Call& call) {
  Builder& builder = call.builder();
  Dims dims = call.DimsOf(0);
  const std::int64_t count = call.Int("num_newaxis", 1);
  // Counted from the back, -1 is behind the last axis.
  const std::size_t axis = call.Axis(call.Int("axis", 0), dims.size() + 1);
  if (count < 0 || dims.size() + static_cast<std::size_t>(count) > kMaxRank) {
    call.Fail("'num_newaxis' is out of range");
  }
  if (call.failed()) return {};
  Dims axes;
  for (std::int64_t i = 0; i < count; ++i) axes.push_back(static_cast<std::int64_t>(axis) + i);
  dims.insert(dims.begin() + static_cast<std::ptrdiff_t>(axis), axes.size(), 1);
  return builder.Add("Unsqueeze", {call.argument(0), builder.Int64s(axes)}, call.ElementOf(0),
                     dims);
}

Item Transpose(Call& call) {
  const std::size_t rank = call.DimsOf(0).size();
  const auto listed = call.Ints("axes");
  Dims permutation;
  for (const std::int64_t axis : listed.value_or(Dims{})) {
    permutation.push_back(static_cast<std::int64_t>(call.Axis(axis, rank)));
  }
  if (!listed || listed->empty()) {
    permutation.clear();
    for (std::size_t i = rank; i > 0; --i) permutation.push_back(static_cast<std::int64_t>(i - 1));
  }
  if (call.failed()) return {};
  const std::set<std::int64_t> distinct(permutation.begin(), permutation.end());
  if (permutation.size() != rank || distinct.size() != rank) {
    return call.Fail(fmt::format("'axes' is no permutation of {} axes", rank));
  }
  return call.builder().Transpose(call.argument(0), permutation);
}

constexpr Operator kRows[] = {
    {"expand_dims", 1, 1, ExpandDims},
    {"reshape", 1, 1, Reshape},
    {"squeeze", 1, 1, Squeeze},
    {"transpose", 1, 1, Transpose},
};

}  // namespace

std::span<const Operator> ShapeOperators() { return kRows; }

}  // namespace opass::frontends::relay
