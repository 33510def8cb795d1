#include "opass/ops/view_ops.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace opass::ops {
namespace {

using Dims = std::vector<std::int64_t>;

std::optional<Dims> DimsOf(const ir::Graph& graph, ir::ValueId id) {
  return id.valid() ? graph.value(id).type.StaticDims() : std::nullopt;
}

// The first dimension that is not 1; the rank when there is none.
std::size_t OutermostAxis(const Dims& dims) {
  return static_cast<std::size_t>(std::ranges::find_if(dims, [](auto dim) { return dim != 1; }) -
                                  dims.begin());
}

// Bytes of one step along `axis`, when they are whole bytes.
std::optional<std::int64_t> StrideBytes(ir::DataType elem, const Dims& dims, std::size_t axis) {
  std::int64_t bits = ir::BitWidth(elem);
  if (bits == 0) return std::nullopt;
  for (std::size_t i = axis + 1; i < dims.size(); ++i) bits *= dims[i];
  if (bits % 8 != 0) return std::nullopt;
  return bits / 8;
}

bool MovesOnlyOnes(const ir::Graph& graph, const ir::Node& node) {
  const auto dims = DimsOf(graph, node.inputs[0]);
  if (!dims) return false;
  Dims perm;
  if (const Dims* given = node.Ints("perm")) {
    perm = *given;
  } else {
    for (std::size_t i = dims->size(); i-- > 0;) perm.push_back(static_cast<std::int64_t>(i));
  }
  if (perm.size() != dims->size()) return false;
  std::int64_t previous = -1;
  for (const std::int64_t axis : perm) {
    if (axis < 0 || axis >= static_cast<std::int64_t>(dims->size())) return false;
    if ((*dims)[static_cast<std::size_t>(axis)] == 1) continue;
    if (axis < previous) return false;
    previous = axis;
  }
  return true;
}

std::optional<ViewFact> SplitView(const ir::Graph& graph, const ir::Node& node) {
  const auto dims = DimsOf(graph, node.inputs[0]);
  if (!dims || dims->empty()) return std::nullopt;
  std::int64_t axis = node.IntOr("axis", 0);
  if (axis < 0) axis += static_cast<std::int64_t>(dims->size());
  if (axis < 0 || static_cast<std::size_t>(axis) > OutermostAxis(*dims) ||
      static_cast<std::size_t>(axis) >= dims->size()) {
    return std::nullopt;
  }
  const auto stride =
      StrideBytes(graph.value(node.inputs[0]).type.elem, *dims, static_cast<std::size_t>(axis));
  if (!stride) return std::nullopt;
  ViewFact fact;
  std::int64_t offset = 0;
  for (const ir::ValueId output : node.outputs) {
    const auto piece = DimsOf(graph, output);
    if (!piece || piece->size() != dims->size()) return std::nullopt;
    fact.offsets_bytes.push_back(offset);
    offset += (*piece)[static_cast<std::size_t>(axis)] * *stride;
  }
  return fact;
}

std::optional<ViewFact> SliceView(const ir::Graph& graph, const ir::Node& node) {
  const auto dims = DimsOf(graph, node.inputs[0]);
  const auto ranges = SliceRanges(graph, node);
  if (!dims || !ranges) return std::nullopt;
  const std::size_t outermost = OutermostAxis(*dims);
  ViewFact fact{0, {0}};
  for (std::size_t axis = 0; axis < dims->size(); ++axis) {
    const SliceRange& range = (*ranges)[axis];
    const bool whole = range.start == 0 && range.end == (*dims)[axis] && range.step == 1;
    if (whole) continue;
    if (axis > outermost || range.step != 1) return std::nullopt;
    const auto stride = StrideBytes(graph.value(node.inputs[0]).type.elem, *dims, axis);
    if (!stride) return std::nullopt;
    fact.offsets_bytes[0] += range.start * *stride;
  }
  return fact;
}

}  // namespace

bool IsInferenceDropout(const ir::Graph& graph, const ir::Node& node) {
  if (!node.Is("Dropout")) return false;
  if (node.outputs.size() > 1 && node.outputs[1].valid()) return false;
  if (node.IntOr("is_test", 1) == 0) return false;  // opsets 1 and 6
  if (node.inputs.size() < 3 || !node.inputs[2].valid()) return true;
  const ir::Value& training = graph.value(node.inputs[2]);
  if (training.constant == nullptr || training.overridable) return false;
  const auto values = ir::AsInt64s(*training.constant);
  return values && values->size() == 1 && values->front() == 0;
}

std::optional<std::vector<SliceRange>> SliceRanges(const ir::Graph& graph, const ir::Node& node) {
  const auto dims = DimsOf(graph, node.inputs.empty() ? ir::ValueId() : node.inputs[0]);
  if (!node.Is("Slice") || !dims) return std::nullopt;
  // Parameters are inputs from opset 10 on, attributes before.
  const auto parameter = [&](std::size_t input, std::string_view attribute) -> std::optional<Dims> {
    if (const Dims* given = node.Ints(attribute)) return *given;
    if (node.inputs.size() <= input || !node.inputs[input].valid()) return Dims{};
    const ir::Value& value = graph.value(node.inputs[input]);
    if (value.constant == nullptr || value.overridable) return std::nullopt;
    return ir::AsInt64s(*value.constant);
  };
  const auto starts = parameter(1, "starts");
  const auto ends = parameter(2, "ends");
  auto axes = parameter(3, "axes");
  auto steps = parameter(4, "steps");
  if (!starts || !ends || !axes || !steps || starts->size() != ends->size()) return std::nullopt;
  if (axes->empty()) {
    for (std::size_t i = 0; i < starts->size(); ++i) axes->push_back(static_cast<std::int64_t>(i));
  }
  if (steps->empty()) steps->assign(starts->size(), 1);
  if (axes->size() != starts->size() || steps->size() != starts->size()) return std::nullopt;

  std::vector<SliceRange> ranges;
  for (const std::int64_t dim : *dims) ranges.push_back({0, dim, 1});
  const std::int64_t rank = static_cast<std::int64_t>(dims->size());
  for (std::size_t i = 0; i < starts->size(); ++i) {
    const std::int64_t axis = (*axes)[i] < 0 ? (*axes)[i] + rank : (*axes)[i];
    if (axis < 0 || axis >= rank || (*steps)[i] == 0) return std::nullopt;
    const std::int64_t dim = (*dims)[static_cast<std::size_t>(axis)];
    const bool backwards = (*steps)[i] < 0;
    const std::int64_t lowest = backwards ? -1 : 0;
    const std::int64_t highest = backwards ? dim - 1 : dim;
    const auto clamp = [&](std::int64_t index, std::int64_t low, std::int64_t high) {
      if (index < 0) index = index < -dim ? INT64_MIN : index + dim;
      return std::max(low, std::min(index, high));
    };
    SliceRange& range = ranges[static_cast<std::size_t>(axis)];
    range.start = clamp((*starts)[i], 0, highest);
    range.end = clamp((*ends)[i], lowest, highest);
    range.step = (*steps)[i];
  }
  return ranges;
}

std::optional<ViewFact> ViewOf(const ir::Graph& graph, const ir::Node& node) {
  static constexpr std::array<std::string_view, 5> kRenames = {"Identity", "Reshape", "Flatten",
                                                               "Squeeze", "Unsqueeze"};
  if (!node.domain.empty() || node.inputs.empty() || !node.inputs[0].valid()) return std::nullopt;
  const bool renames = std::ranges::find(kRenames, node.op_type) != kRenames.end() ||
                       IsInferenceDropout(graph, node) ||
                       (node.op_type == "Transpose" && MovesOnlyOnes(graph, node));
  if (renames) return ViewFact{0, std::vector<std::int64_t>(node.outputs.size(), 0)};
  if (node.op_type == "Split") return SplitView(graph, node);
  if (node.op_type == "Slice") return SliceView(graph, node);
  return std::nullopt;
}

}  // namespace opass::ops
