// sink_concat_below_elementwise: a Concat moves behind what treats all places alike.
//
//   c = Concat(a, b); y = Relu(c)   ->   p = Relu(a); q = Relu(b); y = Concat(p, q)
//
// So that a and b may end earlier, and split_conv_over_concat finds the Concat. Behind unary
// elementwise operators, and behind binary ones and BatchNormalization whose other operands are
// fixed constants, which are cut where they vary along the axis. Legal: nobody else reads the
// Concat. Exact.
#include <algorithm>

#include "opass/passes/elementwise.h"
#include "opass/passes/rewrite.h"

namespace opass::passes {
namespace {

struct Match {
  std::vector<ir::NodeId> nodes;  // the operator, the Concat
  std::string what;
  std::size_t axis = 0;     // of the Concat
  std::size_t operand = 0;  // the input of the operator that is the Concat
};

// The dimension of an operand that lies along the axis of a result of `rank` dimensions; nothing
// when it has none there, or one of size 1: the operand is the same for all pieces.
std::optional<std::size_t> CutAxis(const ir::Node& node, const ir::Tensor& tensor, std::size_t axis,
                                   std::size_t rank) {
  if (node.Is("BatchNormalization"))
    return axis == 1 ? std::optional<std::size_t>(0) : std::nullopt;
  const std::size_t missing = rank - std::min(rank, tensor.dims.size());
  if (axis < missing || tensor.dims[axis - missing] == 1) return std::nullopt;
  return axis - missing;
}

bool AreOthersFixed(const ir::Graph& graph, const ir::Node& node, const Match& match,
                    const std::vector<std::int64_t>& dims) {
  for (std::size_t i = 0; i < node.inputs.size(); ++i) {
    if (i == match.operand) continue;
    if (!node.inputs[i].valid() || !IsFixed(graph, node.inputs[i])) return false;
    const ir::Tensor& tensor = *graph.value(node.inputs[i]).constant;
    if (tensor.dims.size() > dims.size() || ir::BitWidth(tensor.type) < 8) return false;
    const auto cut = CutAxis(node, tensor, match.axis, dims.size());
    if (cut && tensor.dims[*cut] != dims[match.axis]) return false;
  }
  return true;
}

std::optional<Match> MatchNode(const ir::Model& model, const Uses& uses, ir::NodeId id, int) {
  const ir::Graph& graph = model.graph;
  const ir::Node& node = graph.node(id);
  const bool is_unary = IsUnaryElementwise(node);
  const bool is_norm = node.Is("BatchNormalization") && node.inputs.size() == 5 &&
                       node.IntOr("training_mode", 0) == 0 && node.IntOr("spatial", 1) == 1;
  if (!is_unary && !is_norm && !IsBinaryElementwise(node)) return std::nullopt;
  Match match{{id}, node.op_type, 0, 0};
  if (IsBinaryElementwise(node) && IsFixed(graph, node.inputs[0])) match.operand = 1;
  const ir::ValueId joined = node.inputs[match.operand];
  const ir::Node* concat = ProducerOf(graph, joined);
  const auto dims = DimsOf(graph, joined);
  if (concat == nullptr || !concat->Is("Concat") || uses.OnlyReader(joined) != id || !dims ||
      dims != DimsOf(graph, node.outputs[0]) || concat->inputs.size() < 2) {
    return std::nullopt;
  }
  const auto rank = static_cast<std::int64_t>(dims->size());
  const std::int64_t axis = concat->IntOr("axis", 1);
  if (axis < -rank || axis >= rank) return std::nullopt;
  match.axis = static_cast<std::size_t>(axis < 0 ? axis + rank : axis);
  // Per channel: the pieces must have whole channels.
  if (is_norm && match.axis != 1 && match.axis != 0) return std::nullopt;
  for (const ir::ValueId piece : concat->inputs) {
    const auto piece_dims = DimsOf(graph, piece);
    if (!piece_dims || piece_dims->size() != dims->size()) return std::nullopt;
  }
  if (!is_unary && !AreOthersFixed(graph, node, match, *dims)) return std::nullopt;
  match.nodes.push_back(graph.value(joined).producer);
  return match;
}

// The operator's inputs for the piece [begin, end).
std::vector<ir::ValueId> InputsOfPiece(ir::Graph& graph, ir::NodeId id, const Match& match,
                                       std::int64_t begin, std::int64_t end) {
  std::vector<ir::ValueId> inputs = graph.node(id).inputs;
  if (IsUnaryElementwise(graph.node(id))) return inputs;
  const std::size_t rank = DimsOf(graph, graph.node(id).outputs[0])->size();
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (i == match.operand) continue;
    const ir::TensorPtr tensor = graph.value(inputs[i]).constant;
    const auto cut = CutAxis(graph.node(id), *tensor, match.axis, rank);
    if (!cut) continue;
    inputs[i] = graph.AddConstant(graph.FreshName(graph.value(inputs[i]).name),
                                  Slice(*tensor, *cut, begin, end));
  }
  return inputs;
}

void Rewrite(ir::Graph& graph, const Match& match) {
  const auto [id, concat] = std::pair(match.nodes[0], match.nodes[1]);
  const ir::DataType elem = graph.value(graph.node(id).outputs[0]).type.elem;
  const std::vector<ir::ValueId> pieces = graph.node(concat).inputs;
  std::vector<ir::ValueId> results;
  std::int64_t begin = 0;
  for (const ir::ValueId piece : pieces) {
    const auto dims = *DimsOf(graph, piece);
    const std::int64_t end = begin + dims[match.axis];
    std::vector<ir::ValueId> inputs = InputsOfPiece(graph, id, match, begin, end);
    inputs[match.operand] = piece;
    results.push_back(InsertNode(
        graph, id, {graph.node(id).op_type, std::move(inputs), graph.node(id).attributes},
        ir::Type::Tensor(elem, dims), graph.value(graph.node(id).outputs[0]).name + "_part"));
    begin = end;
  }
  SetOperation(graph, id,
               {"Concat", std::move(results), {{"axis", static_cast<std::int64_t>(match.axis)}}});
  EraseUnread(graph, {concat});
}

}  // namespace

extern const Pass sink_concat_below_elementwise;
const Pass sink_concat_below_elementwise = {
    .name = "sink_concat_below_elementwise",
    .summary = "moves a Concat behind elementwise operators, which then work on its parts",
    .exactness = Exactness::kExact,
    .find = FindMatches<MatchNode>,
    .apply = ApplyMatch<MatchNode, Rewrite>,
};

}  // namespace opass::passes
