#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "opass/ir/graph.h"

namespace opass::passes {

// How a Conv, ConvTranspose or pool moves over its spatial dimensions: one entry for each, twice as
// many pads (all begins, then all ends).
struct Window {
  std::vector<std::int64_t> kernel;
  std::vector<std::int64_t> strides;
  std::vector<std::int64_t> dilations;
  std::vector<std::int64_t> pads;

  bool has_pads() const;
  // One element at a time, every element once: a 1x1 convolution.
  bool is_pointwise() const;
};

// The node's window with its defaults filled in; nothing when its pads depend on the input's size
// (auto_pad SAME_*) or when the attributes do not fit the rank of the first input.
std::optional<Window> WindowOf(const ir::Graph& graph, const ir::Node& node);

// Writes explicit pads into the node, in place of auto_pad.
void SetPads(ir::Node& node, std::vector<std::int64_t> pads);

}  // namespace opass::passes
