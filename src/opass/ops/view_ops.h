#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "opass/ir/graph.h"

namespace opass::ops {

// A node that moves no data: every output is a contiguous part of the bytes of one input, in the
// same order.
struct ViewFact {
  std::size_t input = 0;  // position in Node::inputs
  // Per output (left-out ones included): where it starts in the input's bytes.
  std::vector<std::int64_t> offsets_bytes;
};

// The fact, by operator type and static shapes; nothing when the node must copy or when a shape it
// depends on is not known. Whether a target or an alignment allows the view is not decided here.
//
// Views: Identity, Reshape, Flatten, Squeeze, Unsqueeze, Dropout at inference, Transpose that moves
// only dimensions of size 1, Split and Slice along the outermost dimension that is not 1.
std::optional<ViewFact> ViewOf(const ir::Graph& graph, const ir::Node& node);

// Dropout whose output is its input: not in training mode, no mask that anybody reads.
bool IsInferenceDropout(const ir::Graph& graph, const ir::Node& node);

// The half-open range [start, end) and the step that a Slice takes of each dimension of its data,
// clamped as ONNX says; nothing when its parameters are not constant.
struct SliceRange {
  std::int64_t start = 0;
  std::int64_t end = 0;
  std::int64_t step = 1;
};
std::optional<std::vector<SliceRange>> SliceRanges(const ir::Graph& graph, const ir::Node& node);

}  // namespace opass::ops
