// fuse_transpose_into_matmul: a matrix product reads its operand the other way round instead of a
// transposed copy.
//
//   t = Transpose(b); y = MatMul(a, t)   ->   y = Gemm<transB>(a, b)
//   m = MatMul(a, b); y = Transpose(m)   ->   y = Gemm<transA, transB>(b, a)
//
// Variant 0: Transposes in front, of one or both operands; variant 1: behind. Legal: float32, two
// dimensions (Gemm has no more), MatMul or Gemm without a third operand for variant 1. The
// Transpose stays where it has other readers. The kernel may sum in another order.
#include "opass/passes/matrix_product.h"
#include "opass/passes/rewrite.h"

namespace opass::passes {
namespace {

struct Match {
  std::vector<ir::NodeId> nodes;  // the last node, then the ones before it
  std::string what;
  bool is_behind = false;
};

std::optional<Match> MatchNode(const ir::Model& model, const Uses& uses, ir::NodeId id,
                               int variant) {
  const ir::Graph& graph = model.graph;
  const ir::Node& node = graph.node(id);
  if (variant == 1) {
    const ir::ValueId before = node.inputs[0];
    const ir::Node* product = ProducerOf(graph, before);
    if (!IsMatrixTranspose(graph, node) || product == nullptr || uses.OnlyReader(before) != id ||
        !ProductOf(graph, *product)) {
      return std::nullopt;
    }
    return Match{{id, graph.value(before).producer}, "behind", true};
  }
  const bool is_gemm = node.Is("Gemm") && IsFloat32(graph, node.outputs[0]);
  if (!is_gemm && !ProductOf(graph, node)) return std::nullopt;
  Match match{{id}, "in front", false};
  for (const std::size_t i : {0, 1}) {
    const ir::Node* before = ProducerOf(graph, Input(node, i));
    if (before != nullptr && IsMatrixTranspose(graph, *before)) {
      match.nodes.push_back(graph.value(Input(node, i)).producer);
    }
  }
  return match.nodes.size() > 1 ? std::optional(match) : std::nullopt;
}

void Rewrite(ir::Graph& graph, const Match& match) {
  const ir::NodeId id = match.nodes.front();
  const std::vector<ir::NodeId> before = Producers(graph, id);
  if (match.is_behind) {
    const MatrixProduct product = *ProductOf(graph, graph.node(match.nodes[1]));
    SetOperation(graph, id, OperationOf({Flip(product.right), Flip(product.left)}));
    EraseUnread(graph, before);
    return;
  }
  Operation operation{"Gemm", graph.node(id).inputs, graph.node(id).attributes};
  const char* flags[] = {"transA", "transB"};
  for (const std::size_t i : {0, 1}) {
    const ir::Node* transpose = ProducerOf(graph, operation.inputs[i]);
    if (transpose == nullptr || !IsMatrixTranspose(graph, *transpose)) continue;
    operation.inputs[i] = transpose->inputs[0];
    const std::int64_t flag = graph.node(id).IntOr(flags[i], 0) == 0 ? 1 : 0;
    std::erase_if(operation.attributes, [&](const ir::Attribute& a) { return a.name == flags[i]; });
    operation.attributes.push_back({flags[i], flag});
  }
  SetOperation(graph, id, std::move(operation));
  EraseUnread(graph, before);
}

}  // namespace

extern const Pass fuse_transpose_into_matmul;
const Pass fuse_transpose_into_matmul = {
    .name = "fuse_transpose_into_matmul",
    .summary = "makes a Gemm that reads its operands transposed of a MatMul and a Transpose",
    .exactness = Exactness::kReassociates,
    .find = FindMatches<MatchNode, 2>,
    .apply = ApplyMatch<MatchNode, Rewrite>,
};

}  // namespace opass::passes
