// reassociate_matmul: three matrices are multiplied in the cheaper order.
//
//   m = MatMul(a, b); y = MatMul(m, v)   ->   n = MatMul(b, v); y = MatMul(a, n)      (variant 0)
//   m = MatMul(b, v); y = MatMul(a, m)   ->   n = MatMul(a, b); y = MatMul(n, v)      (variant 1)
//
// Legal: float32 matrices of two dimensions, MatMul or Gemm without a third operand, nobody else
// reads the product between, and the other order takes fewer multiplications, or as many with a
// smaller product between. Rounds differently.
#include "opass/passes/matrix_product.h"
#include "opass/passes/rewrite.h"

namespace opass::passes {
namespace {

struct Match {
  std::vector<ir::NodeId> nodes;  // the outer product, the inner one
  std::string what;
  MatrixProduct inner;  // as they will be
  Operand beside;
  bool is_inner_left = false;
};

// Of matrices (p x q), (q x r), (r x s).
struct Sizes {
  double p, q, r, s;

  double MacsLeftFirst() const { return p * q * r + p * r * s; }
  double MacsRightFirst() const { return q * r * s + p * q * s; }
};

bool IsCheaper(const Sizes& sizes, bool becomes_right_first) {
  const double left = sizes.MacsLeftFirst();
  const double right = sizes.MacsRightFirst();
  const double now = becomes_right_first ? left : right;
  const double then = becomes_right_first ? right : left;
  const double left_between = sizes.p * sizes.r;
  const double right_between = sizes.q * sizes.s;
  const bool shrinks =
      becomes_right_first ? right_between < left_between : left_between < right_between;
  return then < now || (then == now && shrinks);
}

std::optional<Match> MatchNode(const ir::Model& model, const Uses& uses, ir::NodeId id,
                               int variant) {
  const ir::Graph& graph = model.graph;
  const auto outer = ProductOf(graph, graph.node(id));
  if (!outer) return std::nullopt;
  const bool is_left = variant == 0;
  const Operand between = is_left ? outer->left : outer->right;
  const ir::Node* before = ProducerOf(graph, between.value);
  if (before == nullptr || uses.OnlyReader(between.value) != id) return std::nullopt;
  if ((is_left ? outer->right : outer->left).value == between.value) return std::nullopt;
  auto inner = ProductOf(graph, *before);
  if (!inner) return std::nullopt;
  // (a b)^T = b^T a^T
  if (between.is_transposed) inner = MatrixProduct{Flip(inner->right), Flip(inner->left)};
  const Operand factors[] = {is_left ? inner->left : outer->left,
                             is_left ? inner->right : inner->left,
                             is_left ? outer->right : inner->right};
  const auto first = SeenDims(graph, factors[0]);
  const auto last = SeenDims(graph, factors[2]);
  const Sizes sizes{static_cast<double>(first[0]), static_cast<double>(first[1]),
                    static_cast<double>(last[0]), static_cast<double>(last[1])};
  if (!IsCheaper(sizes, is_left)) return std::nullopt;
  Match match{{id, graph.value(between.value).producer},
              is_left ? "right first" : "left first",
              {},
              {},
              !is_left};
  match.inner =
      is_left ? MatrixProduct{factors[1], factors[2]} : MatrixProduct{factors[0], factors[1]};
  match.beside = is_left ? factors[0] : factors[2];
  return match;
}

void Rewrite(ir::Graph& graph, const Match& match) {
  const ir::NodeId outer = match.nodes[0];
  const std::vector<std::int64_t> dims = {SeenDims(graph, match.inner.left)[0],
                                          SeenDims(graph, match.inner.right)[1]};
  const ir::ValueId inner = InsertNode(graph, outer, OperationOf(match.inner),
                                       ir::Type::Tensor(ir::DataType::kFloat, dims),
                                       graph.value(graph.node(outer).outputs[0]).name + "_inner");
  SetOperation(graph, outer,
               OperationOf(match.is_inner_left ? MatrixProduct{{inner}, match.beside}
                                               : MatrixProduct{match.beside, {inner}}));
  EraseUnread(graph, {match.nodes[1]});
}

}  // namespace

extern const Pass reassociate_matmul;
const Pass reassociate_matmul = {
    .name = "reassociate_matmul",
    .summary = "multiplies three matrices in the cheaper order",
    .exactness = Exactness::kReassociates,
    .find = FindMatches<MatchNode, 2>,
    .apply = ApplyMatch<MatchNode, Rewrite>,
};

}  // namespace opass::passes
