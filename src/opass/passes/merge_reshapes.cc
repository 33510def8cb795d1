// merge_reshapes: of two Reshapes around elementwise operators, the second one remains.
//
//   a = Reshape(x); b = Relu(a); c = Clip(b); y = Reshape(c)   ->   b = Relu(x); c = Clip(b);
//                                                                   y = Reshape(c)
//
// Also with nothing between. The second one goes too where it undoes the first. Reshapes cost no
// memory, but they hide what could cancel: layouts that are changed and changed back. Legal: static
// shapes, and nobody else reads what is computed between; the first one may have other readers.
// Exact.
#include <algorithm>

#include "opass/passes/elementwise.h"
#include "opass/passes/rewrite.h"

namespace opass::passes {
namespace {

struct Match {
  std::vector<ir::NodeId> nodes;  // the second Reshape, the operators from first to last
  std::string what;
  ir::NodeId first;
};

// From and to static shapes with elements, by a shape that the caller cannot replace.
bool IsFixedReshape(const ir::Graph& graph, const ir::Node& node) {
  if (!node.Is("Reshape") || node.inputs.size() != 2 || !IsFixed(graph, node.inputs[1])) {
    return false;
  }
  const auto from = DimsOf(graph, node.inputs[0]);
  const auto to = DimsOf(graph, node.outputs[0]);
  return from && to && std::ranges::count(*from, 0) == 0 && std::ranges::count(*to, 0) == 0;
}

std::optional<Match> MatchPair(const ir::Model& model, const Uses& uses, ir::NodeId id, int) {
  const ir::Graph& graph = model.graph;
  const ir::Node& second = graph.node(id);
  if (!IsFixedReshape(graph, second)) return std::nullopt;
  Match match{{id}, "", {}};
  const ir::Node* node = ProducerOf(graph, second.inputs[0]);
  ir::NodeId reader = id;
  while (node != nullptr && HasOneResult(*node) && IsUnaryElementwise(*node)) {
    if (uses.OnlyReader(node->outputs[0]) != reader) return std::nullopt;
    reader = graph.value(node->outputs[0]).producer;
    match.nodes.push_back(reader);
    match.what = node->op_type;
    node = ProducerOf(graph, node->inputs[0]);
  }
  if (node == nullptr || !HasOneResult(*node) || !IsFixedReshape(graph, *node)) return std::nullopt;
  match.first = graph.value(node->outputs[0]).producer;
  std::reverse(match.nodes.begin() + 1, match.nodes.end());
  return match;
}

void Rewrite(ir::Graph& graph, const Match& match) {
  const ir::NodeId second = match.nodes.front();
  ir::ValueId data = graph.node(match.first).inputs[0];
  const auto dims = *DimsOf(graph, data);
  for (auto id = match.nodes.begin() + 1; id != match.nodes.end(); ++id) {
    Operation operation{graph.node(*id).op_type, graph.node(*id).inputs,
                        graph.node(*id).attributes};
    operation.inputs[0] = data;
    const ir::Value& result = graph.value(graph.node(*id).outputs[0]);
    data = InsertNode(graph, *id, std::move(operation), ir::Type::Tensor(result.type.elem, dims),
                      result.name + "_before");
  }
  const ir::ValueId y = graph.node(second).outputs[0];
  const auto to = *DimsOf(graph, y);
  if (to == dims && !graph.IsOutput(y)) {
    graph.ReplaceUses(y, data);
    EraseUnread(graph, {second});
  } else {
    const auto rank = static_cast<std::int64_t>(to.size());
    const ir::ValueId shape = graph.AddConstant(graph.FreshName(graph.value(y).name + "_shape"),
                                                ir::Tensor::FromInt64s({rank}, to));
    SetOperation(graph, second, {"Reshape", {data, shape}});
  }
  std::vector<ir::NodeId> unread(match.nodes.begin() + 1, match.nodes.end());
  unread.push_back(match.first);
  EraseUnread(graph, std::move(unread));
}

}  // namespace

extern const Pass merge_reshapes;
const Pass merge_reshapes = {
    .name = "merge_reshapes",
    .summary = "makes one Reshape, or none, of two around elementwise operators",
    .exactness = Exactness::kExact,
    .find = FindMatches<MatchPair>,
    .apply = ApplyMatch<MatchPair, Rewrite>,
};

}  // namespace opass::passes
