// fuse_activations: one operator for an activation that is written out.
//
//   y = x * Clip(x + 3, 0, 6) / 6, x * HardSigmoid<1/6, 1/2>(x)           ->   HardSwish(x)
//   y = x * 0.5 * (1 + Erf(x / sqrt 2))                                   ->   Gelu(x)
//   y = x * 0.5 * (1 + Tanh(sqrt(2/pi) * (x + 0.044715 * x^3)))           ->   Gelu<tanh>(x)
//   y = x * Sigmoid(a * x)                                                ->   Swish<a>(x)
//
// x * f(x) needs x, f(x) and the result at once; one operator works in place. Factors may stand in
// any order and association. Legal: float32, these very constants, nobody else reads what is
// between x and y, and the model's operator set has the operator: HardSwish from 14 on, Gelu from
// 20, Swish from 24 (--opset raises it). Rounds differently.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "opass/passes/activation_forms.h"
#include "opass/passes/rewrite.h"

namespace opass::passes {
namespace {

struct Match {
  std::vector<ir::NodeId> nodes;  // the last node, then those before it
  std::string what;
  Activation activation;
};

// The activation that this node ends, whatever the operator set.
std::optional<Match> MatchAny(const ir::Graph& graph, const Uses& uses, ir::NodeId id) {
  const ir::Node& node = graph.node(id);
  if ((!node.Is("Mul") && !node.Is("Div")) || !IsFloat32(graph, node.outputs[0])) {
    return std::nullopt;
  }
  auto found = FindActivation(graph, uses, id);
  if (!found || !SameType(graph, found->x, node.outputs[0])) return std::nullopt;
  return Match{std::move(found->nodes), std::string(found->op_type), {*found}};
}

std::optional<Match> MatchNode(const ir::Model& model, const Uses& uses, ir::NodeId id, int) {
  auto match = MatchAny(model.graph, uses, id);
  if (match && model.opset() < FirstOpset(match->activation)) return std::nullopt;
  return match;
}

void Rewrite(ir::Graph& graph, const Match& match) {
  const ir::NodeId last = match.nodes.front();
  std::vector<ir::NodeId> before = Producers(graph, last);
  const Activation& activation = match.activation;
  Operation operation{std::string(activation.op_type), {activation.x}};
  if (activation.op_type == "Gelu" && activation.is_tanh_form) {
    operation.attributes = {{"approximate", std::string("tanh")}};
  }
  if (activation.op_type == "Swish" && activation.alpha != 1) {
    operation.attributes = {{"alpha", static_cast<float>(activation.alpha)}};
  }
  SetOperation(graph, last, std::move(operation));
  EraseUnread(graph, std::move(before));
}

// "24 HardSwish need operator set 14: --opset 14"
std::vector<std::string> Advise(const ir::Model& model, const Uses& uses) {
  std::vector<std::string> notes;
  for (const char* op_type : {"HardSwish", "Gelu", "Swish"}) {
    int count = 0;
    std::int64_t opset = 0;
    for (const ir::NodeId id : model.graph.order) {
      if (!HasOneResult(model.graph.node(id))) continue;
      const auto match = MatchAny(model.graph, uses, id);
      if (!match || match->what != op_type) continue;
      opset = FirstOpset(match->activation);
      ++count;
    }
    if (count == 0 || model.opset() >= opset) continue;
    notes.push_back(
        fmt::format("not fused: {} {}, which need operator set {} (this is {}): --opset", count,
                    op_type, opset, model.opset()));
  }
  return notes;
}

}  // namespace

extern const Pass fuse_activations;
const Pass fuse_activations = {
    .name = "fuse_activations",
    .summary = "makes one HardSwish, Gelu or Swish of an activation that is written out",
    .exactness = Exactness::kReassociates,
    .find = FindMatches<MatchNode>,
    .apply = ApplyMatch<MatchNode, Rewrite>,
    .advise = Advise,
};

}  // namespace opass::passes
