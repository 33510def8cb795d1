// cancel_transposes: two Transposes in a row are one, or none.
//
//   a = Transpose<p>(x); y = Transpose<p^-1>(a); z = f(y)   ->   z = f(x)
//   a = Transpose<p>(x); y = Transpose<q>(a)                ->   y = Transpose<p then q>(x)
//
// The first one stays where it has other readers. A pair that cancels in front of a graph output
// becomes an Identity, which keeps the output's name. Exact.
#include "opass/passes/rewrite.h"
#include "opass/passes/transposes.h"

namespace opass::passes {
namespace {

struct Match {
  std::vector<ir::NodeId> nodes;  // the second, the first
  std::string what;
  Perm perm;  // of both together
};

std::optional<Match> MatchPair(const ir::Model& model, const Uses&, ir::NodeId id, int) {
  const ir::Graph& graph = model.graph;
  const auto second = PermOf(graph, graph.node(id));
  if (!second) return std::nullopt;
  const ir::Node* before = ProducerOf(graph, graph.node(id).inputs[0]);
  const auto first = before == nullptr ? std::nullopt : PermOf(graph, *before);
  if (!first || first->size() != second->size()) return std::nullopt;
  return Match{{id, graph.value(before->outputs[0]).producer}, "", Compose(*first, *second)};
}

void Rewrite(ir::Graph& graph, const Match& match) {
  const auto [second, first] = std::pair(match.nodes[0], match.nodes[1]);
  const ir::ValueId x = graph.node(first).inputs[0];
  const ir::ValueId y = graph.node(second).outputs[0];
  if (!IsIdentity(match.perm)) {
    SetOperation(graph, second, {"Transpose", {x}, {{"perm", match.perm}}});
  } else if (graph.IsOutput(y)) {
    SetOperation(graph, second, {"Identity", {x}});
  } else {
    graph.ReplaceUses(y, x);
    EraseUnread(graph, {second});
  }
  EraseUnread(graph, {first});
}

}  // namespace

extern const Pass cancel_transposes;
const Pass cancel_transposes = {
    .name = "cancel_transposes",
    .summary = "makes one Transpose, or none, of two in a row",
    .exactness = Exactness::kExact,
    .find = FindMatches<MatchPair>,
    .apply = ApplyMatch<MatchPair, Rewrite>,
};

}  // namespace opass::passes
