// sink_monotone_below_pool: the maximum of a function that never falls is the function of the
// maximum.
//
//   r = Relu(x); y = MaxPool(r)   ->   p = MaxPool(x); y = Relu(p)
//
// For Relu, Clip with fixed limits in order and LeakyRelu with a slope of 0 or more (other monotone
// functions are approximations whose last bit may fall), below MaxPool and GlobalMaxPool. Legal:
// nobody else reads the value between, no indices are asked for, and every window holds at least
// one element: pads below the kernel, no dilation, rounding down. Exact for numbers; a NaN may take
// another way through a pool.
#include <algorithm>

#include "opass/passes/rewrite.h"
#include "opass/passes/window.h"

namespace opass::passes {
namespace {

struct Match {
  std::vector<ir::NodeId> nodes;  // the pool, the function
  std::string what;
};

bool IsMonotone(const ir::Graph& graph, const ir::Node& node) {
  if (node.Is("Relu")) return true;
  if (node.Is("LeakyRelu")) return node.FloatOr("alpha", 0.01f) >= 0;
  if (!node.Is("Clip") || node.Find("min") != nullptr || node.Find("max") != nullptr) return false;
  const auto low = FixedScalar(graph, Input(node, 1));
  const auto high = FixedScalar(graph, Input(node, 2));
  if ((Input(node, 1).valid() && !low) || (Input(node, 2).valid() && !high)) return false;
  return !low || !high || *low <= *high;
}

bool FillsEveryWindow(const ir::Graph& graph, const ir::Node& pool) {
  if (pool.Is("GlobalMaxPool")) return true;
  const auto window = WindowOf(graph, pool);
  if (!pool.Is("MaxPool") || !window || pool.IntOr("ceil_mode", 0) != 0) return false;
  for (std::size_t i = 0; i < window->pads.size(); ++i) {
    if (window->pads[i] >= window->kernel[i % window->kernel.size()]) return false;
  }
  return std::ranges::all_of(window->dilations, [](std::int64_t d) { return d == 1; });
}

std::optional<Match> MatchPool(const ir::Model& model, const Uses& uses, ir::NodeId id, int) {
  const ir::Graph& graph = model.graph;
  const ir::Node& pool = graph.node(id);
  if (!IsFloat32(graph, pool.inputs[0]) || !DimsOf(graph, pool.outputs[0]) ||
      !FillsEveryWindow(graph, pool) || uses.OnlyReader(pool.inputs[0]) != id) {
    return std::nullopt;
  }
  const ir::Node* function = ProducerOf(graph, pool.inputs[0]);
  if (function == nullptr || !HasOneResult(*function) || !IsMonotone(graph, *function)) {
    return std::nullopt;
  }
  return Match{{id, graph.value(pool.inputs[0]).producer}, function->op_type};
}

void Rewrite(ir::Graph& graph, const Match& match) {
  const auto [pool, function] = std::pair(match.nodes[0], match.nodes[1]);
  std::vector<ir::ValueId> inputs = graph.node(function).inputs;
  const ir::Value& result = graph.value(graph.node(pool).outputs[0]);
  const ir::Type type = result.type;
  const std::string wish = result.name + "_before";
  inputs[0] =
      InsertNode(graph, pool, {graph.node(pool).op_type, {inputs[0]}, graph.node(pool).attributes},
                 type, wish);
  SetOperation(graph, pool,
               {graph.node(function).op_type, std::move(inputs), graph.node(function).attributes});
  EraseUnread(graph, {function});
}

}  // namespace

extern const Pass sink_monotone_below_pool;
const Pass sink_monotone_below_pool = {
    .name = "sink_monotone_below_pool",
    .summary = "applies Relu and its like behind a maximum pool instead of before it",
    .exactness = Exactness::kExact,
    .find = FindMatches<MatchPool>,
    .apply = ApplyMatch<MatchPool, Rewrite>,
};

}  // namespace opass::passes
