// push_transposes: a Transpose moves behind what does not care for the order of dimensions, towards
// another one that cancels it.
//
//   t = Transpose<p>(x); y = Sigmoid(t)                       ->   s = Sigmoid(x); y =
//   Transpose<p>(s) t = Transpose<p>(x); u = Transpose<p>(z); y = Add(t, u)   ->   s = Add(x, z); y
//   = Transpose<p>(s)
//
// Behind elementwise operators whose other operand is a constant or under a Transpose of the same
// permutation, and behind Concat of such values (its axis follows). Legal: nobody else reads what
// the Transposes compute. Exact.
#include <algorithm>

#include "opass/passes/elementwise.h"
#include "opass/passes/rewrite.h"
#include "opass/passes/transposes.h"

namespace opass::passes {
namespace {

struct Match {
  std::vector<ir::NodeId> nodes;  // the operator, then the Transposes before it
  std::string what;
  Perm perm;
};

// The permutation of the Transpose that this node alone reads.
std::optional<Perm> PermBefore(const ir::Graph& graph, const Uses& uses, ir::ValueId value,
                               ir::NodeId reader) {
  const ir::Node* before = ProducerOf(graph, value);
  if (before == nullptr || uses.OnlyReader(value) != reader) return std::nullopt;
  return PermOf(graph, *before);
}

// A constant that can stand under the inverse permutation: one element, or one of the same rank.
bool IsMovable(const ir::Graph& graph, ir::ValueId value, std::size_t rank) {
  if (!value.valid() || !IsFixed(graph, value)) return false;
  const ir::Tensor& tensor = *graph.value(value).constant;
  if (tensor.dims.size() > rank || ir::BitWidth(tensor.type) < 8) return false;
  return tensor.num_elements() == 1 || tensor.dims.size() == rank;
}

std::size_t NumOperands(const ir::Node& node) {
  if (IsUnaryElementwise(node)) return 1;
  return IsBinaryElementwise(node) || node.Is("Concat") ? node.inputs.size() : 0;
}

std::optional<Match> MatchNode(const ir::Model& model, const Uses& uses, ir::NodeId id, int) {
  const ir::Graph& graph = model.graph;
  const ir::Node& node = graph.node(id);
  Match match{{id}, node.op_type, {}};
  const std::size_t num_operands = NumOperands(node);
  for (std::size_t i = 0; i < num_operands; ++i) {
    const auto perm = PermBefore(graph, uses, node.inputs[i], id);
    if (!perm) continue;
    if (match.nodes.size() > 1 && *perm != match.perm) return std::nullopt;
    match.perm = *perm;
    const ir::NodeId transpose = graph.value(node.inputs[i]).producer;
    if (std::ranges::find(match.nodes, transpose) == match.nodes.end()) {
      match.nodes.push_back(transpose);
    }
  }
  const auto dims = DimsOf(graph, node.outputs[0]);
  if (match.nodes.size() < 2 || !dims || dims->size() != match.perm.size()) return std::nullopt;
  for (std::size_t i = 0; i < num_operands; ++i) {
    if (PermBefore(graph, uses, node.inputs[i], id)) continue;
    if (node.Is("Concat") || !IsMovable(graph, node.inputs[i], dims->size())) return std::nullopt;
  }
  // A Transpose must not come out larger than it went in.
  const auto& before = graph.value(graph.node(match.nodes[1]).inputs[0]).type;
  if (!node.Is("Concat") &&
      before.NumElements() != graph.value(node.outputs[0]).type.NumElements()) {
    return std::nullopt;
  }
  const std::int64_t rank = static_cast<std::int64_t>(dims->size());
  const std::int64_t axis = node.IntOr("axis", 0);
  if (node.Is("Concat") && (axis < -rank || axis >= rank)) return std::nullopt;
  return match;
}

// The operand as it was before the Transpose.
ir::ValueId Untransposed(ir::Graph& graph, ir::ValueId operand, const Perm& perm) {
  if (const ir::Node* transpose = ProducerOf(graph, operand)) return transpose->inputs[0];
  const ir::TensorPtr tensor = graph.value(operand).constant;
  if (tensor->dims.size() != perm.size()) return operand;  // one element
  return graph.AddConstant(graph.FreshName(graph.value(operand).name),
                           Permute(*tensor, Inverse(perm)));
}

void Rewrite(ir::Graph& graph, const Match& match) {
  const ir::NodeId id = match.nodes.front();
  Operation operation{graph.node(id).op_type, graph.node(id).inputs, graph.node(id).attributes};
  for (std::size_t i = 0; i < NumOperands(graph.node(id)); ++i) {
    operation.inputs[i] = Untransposed(graph, operation.inputs[i], match.perm);
  }
  if (operation.op_type == "Concat") {
    std::int64_t axis = graph.node(id).IntOr("axis", 0);
    axis += axis < 0 ? static_cast<std::int64_t>(match.perm.size()) : 0;
    operation.attributes = {{"axis", match.perm[static_cast<std::size_t>(axis)]}};
  }
  const ir::Value& result = graph.value(graph.node(id).outputs[0]);
  const auto dims = PermuteDims(*result.type.StaticDims(), Inverse(match.perm));
  const ir::Type type = ir::Type::Tensor(result.type.elem, dims);
  const std::string wish = result.name + "_before";
  const ir::ValueId before = InsertNode(graph, id, std::move(operation), type, wish);
  SetOperation(graph, id, {"Transpose", {before}, {{"perm", match.perm}}});
  EraseUnread(graph, {match.nodes.begin() + 1, match.nodes.end()});
}

}  // namespace

extern const Pass push_transposes;
const Pass push_transposes = {
    .name = "push_transposes",
    .summary = "moves a Transpose behind elementwise operators and Concat",
    .exactness = Exactness::kExact,
    .find = FindMatches<MatchNode>,
    .apply = ApplyMatch<MatchNode, Rewrite>,
};

}  // namespace opass::passes
