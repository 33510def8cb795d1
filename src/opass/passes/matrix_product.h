#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "opass/ir/graph.h"
#include "opass/passes/rewrite.h"

namespace opass::passes {

// A matrix, read as it is or transposed.
struct Operand {
  ir::ValueId value;
  bool is_transposed = false;
};
inline Operand Flip(Operand operand) { return {operand.value, !operand.is_transposed}; }

struct MatrixProduct {
  Operand left;
  Operand right;
};

// A product of two float32 matrices and nothing more: MatMul of two dimensions, or Gemm with alpha
// 1 and no third operand.
std::optional<MatrixProduct> ProductOf(const ir::Graph& graph, const ir::Node& node);

// Rows and columns as the product sees them.
std::vector<std::int64_t> SeenDims(const ir::Graph& graph, Operand operand);

// MatMul where neither operand is transposed, Gemm otherwise.
Operation OperationOf(const MatrixProduct& product);

// A Transpose of a float32 matrix.
bool IsMatrixTranspose(const ir::Graph& graph, const ir::Node& node);

}  // namespace opass::passes
