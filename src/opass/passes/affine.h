#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "opass/ir/graph.h"

namespace opass::passes {

// A node that multiplies every channel of its first input and adds to it: y[c] = scale[c] * x[c] +
// shift[c], x of static dimensions [N, C, spatial...]. One entry a channel.
struct Affine {
  std::size_t data = 0;  // position of x in the node's inputs
  std::vector<float> scale;
  std::vector<float> shift;
};

// Mul, Div, Add and Sub with a fixed float32 constant of one element or of one element a channel,
// and BatchNormalization at inference with fixed statistics; nothing for other nodes, for a scale
// that is not finite, or where the node changes the shape.
std::optional<Affine> AffineOf(const ir::Graph& graph, const ir::Node& node);

}  // namespace opass::passes
