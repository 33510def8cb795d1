// factor_shared_scale: x plus x scaled is x scaled by one more.
//
//   p = Mul(x, s); y = Add(x, p)   ->   t = Add(s, 1); y = Mul(x, t)
//
// So x is read once and y may take its place. Legal: float32, s is smaller than x and broadcasts
// to it, nobody else reads the product. Rounds differently. Without hoist_pool_above_linear it can
// hinder a split: the gate and the gated then need each other (docs/passes.md).
#include <algorithm>

#include "opass/passes/rewrite.h"

namespace opass::passes {
namespace {

struct Match {
  std::vector<ir::NodeId> nodes;  // the Add, the Mul
  std::string what;
  ir::ValueId x;
  ir::ValueId scale;
};

std::optional<Match> MatchAdd(const ir::Model& model, const Uses& uses, ir::NodeId id, int) {
  const ir::Graph& graph = model.graph;
  const ir::Node& add = graph.node(id);
  if (!add.Is("Add") || add.inputs.size() != 2) return std::nullopt;
  for (const std::size_t product : {1, 0}) {
    const ir::ValueId x = add.inputs[1 - product];
    const ir::Node* mul = ProducerOf(graph, add.inputs[product]);
    if (mul == nullptr || uses.OnlyReader(add.inputs[product]) != id) continue;
    if (!mul->Is("Mul") || mul->inputs.size() != 2 || !IsFloat32(graph, x)) continue;
    for (const std::size_t scale : {1, 0}) {
      const ir::ValueId s = mul->inputs[scale];
      if (mul->inputs[1 - scale] != x || !DimsOf(graph, s)) continue;
      if (!SameType(graph, x, add.outputs[0]) || !SameType(graph, x, mul->outputs[0])) continue;
      if (graph.value(s).type.SizeBytes() >= graph.value(x).type.SizeBytes()) continue;
      return Match{{id, graph.value(mul->outputs[0]).producer}, "", x, s};
    }
  }
  return std::nullopt;
}

void Rewrite(ir::Graph& graph, const Match& match) {
  const ir::NodeId add = match.nodes[0];
  const ir::ValueId one =
      graph.AddConstant(graph.FreshName("one"), ir::Tensor::FromFloats({}, {1.0f}));
  const ir::Type type = graph.value(match.scale).type;
  const std::string wish = graph.value(match.scale).name + "_plus_one";
  const ir::ValueId total = InsertNode(graph, add, {"Add", {match.scale, one}}, type, wish);
  SetOperation(graph, add, {"Mul", {match.x, total}});
  EraseUnread(graph, {match.nodes[1]});
}

}  // namespace

extern const Pass factor_shared_scale;
const Pass factor_shared_scale = {
    .name = "factor_shared_scale",
    .summary = "turns x + x * s into x * (s + 1)",
    .exactness = Exactness::kReassociates,
    .find = FindMatches<MatchAdd>,
    .apply = ApplyMatch<MatchAdd, Rewrite>,
};

}  // namespace opass::passes
