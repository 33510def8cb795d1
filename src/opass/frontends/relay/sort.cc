// Sorting: TopK, whose equal elements keep their order, as TVM's do.
#include <fmt/format.h>

#include "opass/frontends/relay/operators.h"

namespace opass::frontends::relay {
namespace {

using ir::DataType;

// The `k` largest or smallest elements along the axis and their int64 indices.
std::vector<ir::ValueId> Largest(Call& call, std::size_t axis, std::int64_t k, bool is_ascending) {
  Builder& builder = call.builder();
  Dims dims = call.DimsOf(0);
  dims[axis] = k;
  return builder.AddMany("TopK", {call.argument(0), builder.Int64s({k})},
                         {{call.ElementOf(0), dims}, {DataType::kInt64, dims}},
                         {{"axis", static_cast<std::int64_t>(axis)},
                          {"largest", std::int64_t{is_ascending ? 0 : 1}},
                          {"sorted", std::int64_t{1}}});
}

Item TopK(Call& call) {
  Builder& builder = call.builder();
  const Dims dims = call.DimsOf(0);
  const std::size_t axis = call.Axis(call.Int("axis", -1), dims.size());
  const std::string wanted = call.Text("ret_type", "both");
  const bool is_ascending = call.Flag("is_ascend", false);
  const DataType type = call.Type("dtype", DataType::kInt32);
  std::int64_t k = call.Int("k", 1);
  if (call.failed()) return {};
  if (k < 1) k = dims[axis];
  if (k > dims[axis]) return call.Fail(fmt::format("k is {} of {} elements", k, dims[axis]));
  if (wanted != "both" && wanted != "values" && wanted != "indices") {
    return call.Fail(fmt::format("ret_type=\"{}\" is not known", wanted));
  }
  const std::vector<ir::ValueId> results = Largest(call, axis, k, is_ascending);
  if (wanted == "values") return results[0];
  const ir::ValueId indices = builder.Cast(results[1], type);
  if (wanted == "indices") return indices;
  return Item::Tuple({results[0], indices});
}

Item ArgSort(Call& call) {
  const Dims dims = call.DimsOf(0);
  const std::size_t axis = call.Axis(call.Int("axis", -1), dims.size());
  const bool is_ascending = call.Flag("is_ascend", true);
  const DataType type = call.Type("dtype", DataType::kInt32);
  if (call.failed()) return {};
  return call.builder().Cast(Largest(call, axis, dims[axis], is_ascending)[1], type);
}

constexpr Operator kRows[] = {
    {"argsort", 1, 1, ArgSort},
    {"topk", 1, 1, TopK},
};

}  // namespace

std::span<const Operator> SortOperators() { return kRows; }

}  // namespace opass::frontends::relay
