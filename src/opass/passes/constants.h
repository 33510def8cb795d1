#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "opass/ir/graph.h"

// Constants of the graph as the passes read and write them.
namespace opass::passes {

// A constant that the caller cannot replace.
bool IsFixed(const ir::Graph& graph, ir::ValueId id);

// The only element of a fixed float32 constant (of any rank), or of an integer one.
std::optional<float> FixedScalar(const ir::Graph& graph, ir::ValueId id);
// All elements of a fixed float32 constant, and of a fixed integer one.
std::optional<std::vector<float>> FixedFloats(const ir::Graph& graph, ir::ValueId id);
std::optional<std::vector<std::int64_t>> FixedInts(const ir::Graph& graph, ir::ValueId id);

// The part [begin, end) of a tensor along an axis; its dimensions reordered (`perm` as in ONNX's
// Transpose). Null for elements that are no whole bytes.
ir::TensorPtr Slice(const ir::Tensor& tensor, std::size_t axis, std::int64_t begin,
                    std::int64_t end);
ir::TensorPtr Permute(const ir::Tensor& tensor, const std::vector<std::int64_t>& perm);

}  // namespace opass::passes
