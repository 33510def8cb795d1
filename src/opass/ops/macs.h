#pragma once

#include <cstdint>
#include <optional>

#include "opass/ir/graph.h"

namespace opass::ops {

// Multiplications (each with its addition) of one run of the node: of Conv, ConvTranspose, MatMul,
// Gemm and their integer and quantized forms; 0 for all other operators (Einsum and recurrent ones
// too), which opass's passes do not make more of. Nothing when a dimension is not known or the
// count exceeds 64 bits.
std::optional<std::int64_t> MacsOf(const ir::Graph& graph, const ir::Node& node);

// Of all nodes, those of subgraphs once; nodes that nothing is known of count 0. At most the
// largest 64-bit number.
std::int64_t Macs(const ir::Graph& graph);

}  // namespace opass::ops
