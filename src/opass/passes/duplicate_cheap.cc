// duplicate_cheap: every reader of a cheap value gets a copy of its own. The inverse of
// merge_common_subexpressions.
//
//   r = Resize(x); a = f(r); b = g(r)   ->   r = Resize(x); a = f(r); s = Resize(x); b = g(s)
//
// Pays where the value is large, what it is made of is small, and its readers are far apart. Legal:
// a deterministic operator without convolution, product or subgraph (cheap_ops.h), several readers.
// A graph output stays, only its readers get copies. Exact.
#include <algorithm>

#include "opass/passes/cheap_ops.h"
#include "opass/passes/rewrite.h"

namespace opass::passes {
namespace {

struct Match {
  std::vector<ir::NodeId> nodes;  // the cheap node, its readers
  std::string what;
};

std::optional<Match> MatchNode(const ir::Model& model, const Uses& uses, ir::NodeId id, int) {
  const ir::Node& node = model.graph.node(id);
  const auto readers = uses.Readers(node.outputs[0]);
  const std::size_t least = uses.IsOutput(node.outputs[0]) ? 1 : 2;
  if (!IsCheap(node) || readers.size() < least || !DimsOf(model.graph, node.outputs[0])) {
    return std::nullopt;
  }
  Match match{{id}, node.op_type};
  match.nodes.insert(match.nodes.end(), readers.begin(), readers.end());
  return match;
}

void Rewrite(ir::Graph& graph, const Match& match) {
  const ir::NodeId id = match.nodes.front();
  const ir::ValueId value = graph.node(id).outputs[0];
  // The first reader keeps the original, unless that is a graph output.
  for (std::size_t i = graph.IsOutput(value) ? 1 : 2; i < match.nodes.size(); ++i) {
    const ir::Node node = graph.node(id);
    const ir::Type type = graph.value(value).type;
    const std::string wish = graph.value(value).name;
    const ir::ValueId copy =
        InsertNode(graph, match.nodes[i], {node.op_type, node.inputs, node.attributes}, type, wish);
    ReplaceReads(graph.node(match.nodes[i]), value, copy);
  }
}

}  // namespace

extern const Pass duplicate_cheap;
const Pass duplicate_cheap = {
    .name = "duplicate_cheap",
    .summary = "computes a cheap value again for each of its readers",
    .exactness = Exactness::kExact,
    .find = FindMatches<MatchNode>,
    .apply = ApplyMatch<MatchNode, Rewrite>,
};

}  // namespace opass::passes
