// split_conv_over_concat: a convolution of joined channels is the sum of convolutions of the parts.
//
//   c = Concat<channels>(a, b); y = Conv(c, w, bias)   ->   p = Conv(a, w_a, bias);
//                                                           q = Conv(b, w_b); y = Add(p, q)
//
// A part may end as soon as its product is there. Pays where the result is small and the parts are
// large; everywhere at once it tends to cost memory. After Xie et al., "SERENITY" (MLSys 2020).
// Legal: float32, group 1, fixed weights that nobody else reads, and all readers of the Concat are
// such convolutions. Rounds differently.
#include <algorithm>

#include "opass/passes/rewrite.h"

namespace opass::passes {
namespace {

struct Match {
  std::vector<ir::NodeId> nodes;  // the convolution, the Concat
  std::string what;
};

bool IsSplittable(const ir::Graph& graph, const Uses& uses, const ir::Node& conv,
                  ir::ValueId joined) {
  if (!conv.Is("Conv") || !HasOneResult(conv) || conv.inputs[0] != joined) return false;
  if (std::ranges::count(conv.inputs, joined) != 1 || conv.IntOr("group", 1) != 1) return false;
  const ir::ValueId weights = Input(conv, 1);
  return FixedFloats(graph, weights).has_value() && uses.OnlyReader(weights).valid() &&
         DimsOf(graph, weights)->size() >= 3 && DimsOf(graph, conv.outputs[0]).has_value();
}

std::optional<Match> MatchConv(const ir::Model& model, const Uses& uses, ir::NodeId id, int) {
  const ir::Graph& graph = model.graph;
  const ir::Node& conv = graph.node(id);
  if (!conv.Is("Conv")) return std::nullopt;
  const ir::ValueId joined = conv.inputs[0];
  const ir::Node* concat = ProducerOf(graph, joined);
  const auto dims = DimsOf(graph, joined);
  if (concat == nullptr || !concat->Is("Concat") || !dims || dims->size() < 3) return std::nullopt;
  const std::int64_t axis = concat->IntOr("axis", 1);
  const bool joins_channels = axis == 1 || axis == 1 - static_cast<std::int64_t>(dims->size());
  if (!joins_channels || concat->inputs.size() < 2 || uses.IsOutput(joined)) return std::nullopt;
  for (const ir::NodeId reader : uses.Readers(joined)) {
    if (!IsSplittable(graph, uses, graph.node(reader), joined)) return std::nullopt;
  }
  for (const ir::ValueId part : concat->inputs) {
    const auto part_dims = DimsOf(graph, part);
    if (!part_dims || part_dims->size() != dims->size() || (*part_dims)[1] == 0) {
      return std::nullopt;
    }
  }
  if ((*DimsOf(graph, conv.inputs[1]))[1] != (*dims)[1]) return std::nullopt;
  return Match{{id, graph.value(joined).producer}, ""};
}

void Rewrite(ir::Graph& graph, const Match& match) {
  const ir::NodeId id = match.nodes[0];
  const ir::Node conv = graph.node(id);
  const std::vector<ir::ValueId> parts = graph.node(match.nodes[1]).inputs;
  const ir::TensorPtr weights = graph.value(conv.inputs[1]).constant;
  const ir::Type type = graph.value(conv.outputs[0]).type;
  const std::string name = graph.value(conv.outputs[0]).name;
  ir::ValueId sum;
  std::int64_t begin = 0;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const std::int64_t end = begin + (*DimsOf(graph, parts[i]))[1];
    std::vector<ir::ValueId> inputs = {
        parts[i], graph.AddConstant(graph.FreshName(graph.value(conv.inputs[1]).name),
                                    Slice(*weights, 1, begin, end))};
    if (i == 0 && Input(conv, 2).valid()) inputs.push_back(conv.inputs[2]);
    begin = end;
    const ir::ValueId part =
        InsertNode(graph, id, {"Conv", std::move(inputs), conv.attributes}, type, name + "_part");
    if (i + 1 == parts.size()) {
      SetOperation(graph, id, {"Add", {sum, part}});
    } else {
      sum = i == 0 ? part : InsertNode(graph, id, {"Add", {sum, part}}, type, name + "_sum");
    }
  }
  EraseUnread(graph, {match.nodes[1]});
}

}  // namespace

extern const Pass split_conv_over_concat;
const Pass split_conv_over_concat = {
    .name = "split_conv_over_concat",
    .summary = "makes a sum of convolutions of the parts of a convolution of a Concat",
    .exactness = Exactness::kReassociates,
    .find = FindMatches<MatchConv>,
    .apply = ApplyMatch<MatchConv, Rewrite>,
};

}  // namespace opass::passes
