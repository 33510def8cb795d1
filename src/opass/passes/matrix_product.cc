#include "opass/passes/matrix_product.h"

#include "opass/passes/transposes.h"

namespace opass::passes {

std::optional<MatrixProduct> ProductOf(const ir::Graph& graph, const ir::Node& node) {
  if (!HasOneResult(node) || !IsFloat32(graph, node.outputs[0])) return std::nullopt;
  if (!node.Is("MatMul") && !node.Is("Gemm")) return std::nullopt;
  if (node.inputs.size() < 2 || Input(node, 2).valid()) return std::nullopt;
  for (const std::size_t i : {0, 1}) {
    const auto dims = DimsOf(graph, node.inputs[i]);
    if (!dims || dims->size() != 2) return std::nullopt;
  }
  const bool is_gemm = node.Is("Gemm");
  if (is_gemm && node.FloatOr("alpha", 1) != 1) return std::nullopt;
  return MatrixProduct{{node.inputs[0], is_gemm && node.IntOr("transA", 0) != 0},
                       {node.inputs[1], is_gemm && node.IntOr("transB", 0) != 0}};
}

std::vector<std::int64_t> SeenDims(const ir::Graph& graph, Operand operand) {
  std::vector<std::int64_t> dims = *DimsOf(graph, operand.value);
  if (operand.is_transposed) std::swap(dims[0], dims[1]);
  return dims;
}

Operation OperationOf(const MatrixProduct& product) {
  Operation operation{"MatMul", {product.left.value, product.right.value}};
  if (!product.left.is_transposed && !product.right.is_transposed) return operation;
  operation.op_type = "Gemm";
  if (product.left.is_transposed) operation.attributes.push_back({"transA", std::int64_t{1}});
  if (product.right.is_transposed) operation.attributes.push_back({"transB", std::int64_t{1}});
  return operation;
}

bool IsMatrixTranspose(const ir::Graph& graph, const ir::Node& node) {
  const auto perm = PermOf(graph, node);
  return perm && perm->size() == 2 && SwapsLastTwo(*perm) && IsFloat32(graph, node.outputs[0]);
}

}  // namespace opass::passes
