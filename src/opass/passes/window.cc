#include "opass/passes/window.h"

#include <algorithm>

#include "opass/passes/rewrite.h"

namespace opass::passes {
namespace {

// Larger numbers than any tensor has; sums of a few of them do not overflow.
constexpr std::int64_t kLimit = std::int64_t{1} << 40;

bool AllAre(const std::vector<std::int64_t>& values, std::int64_t value) {
  return std::ranges::all_of(values, [&](std::int64_t v) { return v == value; });
}

// The attribute, or its default; nothing when it has another length or wild numbers.
std::optional<std::vector<std::int64_t>> IntsOr(const ir::Node& node, const char* attribute,
                                                std::size_t size, std::int64_t otherwise) {
  const std::vector<std::int64_t>* ints = node.Ints(attribute);
  if (ints == nullptr) return std::vector<std::int64_t>(size, otherwise);
  const bool is_sane =
      std::ranges::all_of(*ints, [](std::int64_t value) { return value >= 0 && value < kLimit; });
  if (ints->size() != size || !is_sane) return std::nullopt;
  return *ints;
}

}  // namespace

bool Window::has_pads() const { return !AllAre(pads, 0); }
bool Window::is_pointwise() const { return AllAre(kernel, 1) && AllAre(strides, 1) && !has_pads(); }

std::optional<Window> WindowOf(const ir::Graph& graph, const ir::Node& node) {
  const auto dims = node.inputs.empty() ? std::nullopt : DimsOf(graph, node.inputs[0]);
  if (!dims || dims->size() < 3) return std::nullopt;
  const std::size_t rank = dims->size() - 2;
  Window window;
  const std::string auto_pad = node.StringOr("auto_pad", "NOTSET");
  const auto pads = IntsOr(node, "pads", 2 * rank, 0);
  if (!pads || (auto_pad != "NOTSET" && auto_pad != "VALID")) return std::nullopt;
  window.pads = auto_pad == "VALID" ? std::vector<std::int64_t>(2 * rank, 0) : *pads;
  const auto strides = IntsOr(node, "strides", rank, 1);
  const auto dilations = IntsOr(node, "dilations", rank, 1);
  if (!strides || !dilations) return std::nullopt;
  window.strides = *strides;
  window.dilations = *dilations;
  if (node.Is("Conv") || node.Is("ConvTranspose")) {
    const auto weights = node.inputs.size() < 2 ? std::nullopt : DimsOf(graph, node.inputs[1]);
    if (!weights || weights->size() != rank + 2) return std::nullopt;
    window.kernel.assign(weights->begin() + 2, weights->end());
    return window;
  }
  if (node.Ints("kernel_shape") == nullptr) return std::nullopt;
  const auto kernel = IntsOr(node, "kernel_shape", rank, 1);
  if (!kernel) return std::nullopt;
  window.kernel = *kernel;
  return window;
}

void SetPads(ir::Node& node, std::vector<std::int64_t> pads) {
  RemoveAttribute(node, "auto_pad");
  SetAttribute(node, "pads", std::move(pads));
}

}  // namespace opass::passes
