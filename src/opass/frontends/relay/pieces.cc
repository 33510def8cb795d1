// Tensors put together and taken apart.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "opass/frontends/relay/operators.h"
#include "opass/support/bytes.h"

namespace opass::frontends::relay {
namespace {

Item Concatenate(Call& call) {
  Builder& builder = call.builder();
  const std::vector<Item>& fields = *call.item(0).fields;
  if (fields.empty()) return call.Fail("the tuple is empty");
  std::vector<ir::ValueId> inputs;
  for (const Item& field : fields) {
    if (!field.value.valid()) return call.Fail("a field of the tuple is no tensor");
    inputs.push_back(field.value);
  }
  Dims dims = builder.DimsOf(inputs[0]);
  const std::size_t axis = call.Axis(call.Int("axis", 0), dims.size());
  if (call.failed()) return {};
  for (std::size_t i = 1; i < inputs.size(); ++i) {
    Dims other = builder.DimsOf(inputs[i]);
    const bool same_rank = other.size() == dims.size();
    const auto sum = same_rank ? CheckedAdd(dims[axis], other[axis]) : std::nullopt;
    if (same_rank) other[axis] = dims[axis];
    if (!sum || other != dims || builder.ElementOf(inputs[i]) != builder.ElementOf(inputs[0])) {
      return call.Fail(
          fmt::format("field {} of the tuple does not fit: {}", i, builder.Describe(inputs[i])));
    }
    dims[axis] = *sum;
  }
  return builder.Add("Concat", inputs, builder.ElementOf(inputs[0]), dims,
                     {{"axis", static_cast<std::int64_t>(axis)}});
}

// The sizes of the parts: so many equal ones, or those between the indices. Empty: a fault.
Dims SplitSizes(Call& call, std::int64_t size, bool is_number, const Dims& given) {
  constexpr std::int64_t kMaxParts = 10'000;
  Dims sizes;
  if (is_number) {
    if (given[0] >= 1 && given[0] <= kMaxParts && size % given[0] == 0) {
      sizes.assign(static_cast<std::size_t>(given[0]), size / given[0]);
    }
  } else {
    std::int64_t begin = 0;
    for (const std::int64_t end : given) {
      if (end < begin || end > size) return {};
      sizes.push_back(end - begin);
      begin = end;
    }
    sizes.push_back(size - begin);
  }
  if (sizes.empty()) call.Fail(fmt::format("an axis of size {} cannot be split so", size));
  return sizes;
}

Item Split(Call& call) {
  Builder& builder = call.builder();
  Dims dims = call.DimsOf(0);
  const std::size_t axis = call.Axis(call.Int("axis", 0), dims.size());
  const auto given = call.Ints("indices_or_sections");
  const bool is_number = call.IsNumber("indices_or_sections");
  if (!given) call.Fail("'indices_or_sections' is missing");
  if (call.failed()) return {};
  const Dims sizes = SplitSizes(call, dims[axis], is_number, *given);
  if (sizes.empty()) return call.Fail("'indices_or_sections' does not ascend within the axis");
  std::vector<std::pair<ir::DataType, Dims>> types;
  for (const std::int64_t size : sizes) {
    dims[axis] = size;
    types.emplace_back(call.ElementOf(0), dims);
  }
  const auto parts = builder.AddMany("Split", {call.argument(0), builder.Int64s(sizes)}, types,
                                     {{"axis", static_cast<std::int64_t>(axis)}});
  return Item::Tuple(std::vector<Item>(parts.begin(), parts.end()));
}

struct Range {
  Dims begin;
  Dims end;
  Dims strides;
  Dims axes;
};

// One number an axis in each list; axes are counted from 0.
Range ReadRange(Call& call, std::size_t rank) {
  Range range;
  range.begin = call.Ints("begin").value_or(Dims{});
  range.end = call.Ints("end").value_or(Dims{});
  const std::size_t count = range.begin.size();
  range.strides = call.Ints("strides").value_or(Dims{});
  // TVM allows one stride for all axes, and none.
  if (range.strides.size() <= 1)
    range.strides.resize(count, range.strides.empty() ? 1 : range.strides[0]);
  const auto axes = call.Ints("axes");
  for (std::size_t i = 0; i < count; ++i) {
    const auto axis = static_cast<std::int64_t>(i);
    const std::int64_t listed = axes ? (i < axes->size() ? (*axes)[i] : axis) : axis;
    range.axes.push_back(static_cast<std::int64_t>(call.Axis(listed, rank)));
  }
  const std::set<std::int64_t> distinct(range.axes.begin(), range.axes.end());
  if (distinct.size() != count || range.end.size() != count || range.strides.size() != count ||
      (axes && axes->size() != count)) {
    call.Fail(
        "'begin', 'end', 'strides' and 'axes' must be lists of the same length, "
        "with different axes");
  }
  return range;
}

Item StridedSlice(Call& call) {
  Builder& builder = call.builder();
  Dims dims = call.DimsOf(0);
  const std::string mode = call.Text("slice_mode", "end");
  Range range = ReadRange(call, dims.size());
  if (mode != "end" && mode != "size")
    call.Fail(fmt::format("slice_mode=\"{}\" is not known", mode));
  if (call.failed()) return {};
  for (std::size_t i = 0; i < range.begin.size(); ++i) {
    std::int64_t& dim = dims[static_cast<std::size_t>(range.axes[i])];
    const auto place = [&](std::int64_t at) {
      return std::clamp<std::int64_t>(at < 0 ? at + dim : at, 0, dim);
    };
    range.begin[i] = place(range.begin[i]);
    if (mode == "size") {
      // The length counts instead of the end, -1 is the rest, and strides are 1.
      range.strides[i] = 1;
      range.end[i] = range.end[i] < 0 ? dim : range.begin[i] + range.end[i];
    }
    range.end[i] = std::max(place(range.end[i]), range.begin[i]);
    if (range.strides[i] < 1) return call.Fail("only strides from 1 on are supported");
    dim = (range.end[i] - range.begin[i] + range.strides[i] - 1) / range.strides[i];
  }
  return builder.Add("Slice",
                     {call.argument(0), builder.Int64s(range.begin), builder.Int64s(range.end),
                      builder.Int64s(range.axes), builder.Int64s(range.strides)},
                     call.ElementOf(0), dims);
}

constexpr Operator kRows[] = {
    {"concatenate", 1, 1, Concatenate, "", /*takes_tuple=*/true},
    {"split", 1, 1, Split},
    {"strided_slice", 1, 1, StridedSlice},
};

}  // namespace

std::span<const Operator> PieceOperators() { return kRows; }

}  // namespace opass::frontends::relay
