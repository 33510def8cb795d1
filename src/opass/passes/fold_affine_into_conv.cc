// fold_affine_into_conv: what scales and shifts the channels beside a convolution goes into its
// weights and bias.
//
//   c = Conv(x, w, b); y = BatchNormalization(c)   ->   y = Conv(x, w', b')
//   m = Mul(x, k); y = Conv(m, w, b)               ->   y = Conv(x, w'', b)
//
// Behind a Conv or ConvTranspose (variant 0): Mul, Div, Add, Sub by constants of one element or one
// a channel, and BatchNormalization at inference. In front of a Conv (variant 1) the same; what it
// adds only where the convolution does not pad, because pads stay zero. Legal: float32, fixed
// weights that nobody else reads (or they would be stored twice), nobody else reads the value
// between. Rounds differently. Run it after fuse_activations: it would eat the Add 3 of a
// HardSwish.
#include <algorithm>

#include "opass/passes/affine.h"
#include "opass/passes/rewrite.h"
#include "opass/passes/window.h"

namespace opass::passes {
namespace {

struct Match {
  std::vector<ir::NodeId> nodes;  // the affine node, the convolution
  std::string what;
  Affine affine;
  bool is_behind = false;  // the affine node reads the convolution
};

bool HasFoldableWeights(const ir::Graph& graph, const Uses& uses, const ir::Node& conv) {
  const ir::ValueId weights = Input(conv, 1);
  const ir::ValueId bias = Input(conv, 2);
  const auto dims = DimsOf(graph, weights);
  if (!dims || dims->size() < 3 || !FixedFloats(graph, weights)) return false;
  const std::int64_t group = conv.IntOr("group", 1);
  if (!uses.OnlyReader(weights).valid() || group < 1 || (*dims)[0] % group != 0) return false;
  if (std::ranges::count(conv.inputs, weights) != 1) return false;
  return !bias.valid() || FixedFloats(graph, bias).has_value();
}

std::int64_t NumOutputChannels(const ir::Graph& graph, const ir::Node& conv) {
  const auto dims = *DimsOf(graph, conv.inputs[1]);
  return conv.Is("Conv") ? dims[0] : dims[1] * conv.IntOr("group", 1);
}

std::optional<Match> MatchNode(const ir::Model& model, const Uses& uses, ir::NodeId id,
                               int variant) {
  const ir::Graph& graph = model.graph;
  auto affine = AffineOf(graph, graph.node(id));
  if (!affine) return std::nullopt;
  const ir::ValueId data = graph.node(id).inputs[affine->data];
  Match match{{}, variant == 0 ? "behind" : "in front", *affine, variant == 0};
  if (match.is_behind) {
    const ir::Node* conv = ProducerOf(graph, data);
    if (conv == nullptr || uses.OnlyReader(data) != id || !HasOneResult(*conv)) return std::nullopt;
    if (!conv->Is("Conv") && !conv->Is("ConvTranspose")) return std::nullopt;
    if (!HasFoldableWeights(graph, uses, *conv)) return std::nullopt;
    const std::int64_t channels = NumOutputChannels(graph, *conv);
    if (channels != static_cast<std::int64_t>(affine->scale.size())) return std::nullopt;
    match.nodes = {id, graph.value(data).producer};
    return match;
  }
  const ir::NodeId reader = uses.OnlyReader(graph.node(id).outputs[0]);
  if (!reader.valid() || !graph.node(reader).Is("Conv")) return std::nullopt;
  const ir::Node& conv = graph.node(reader);
  if (conv.inputs[0] != graph.node(id).outputs[0] || !HasFoldableWeights(graph, uses, conv)) {
    return std::nullopt;
  }
  const auto dims = *DimsOf(graph, conv.inputs[1]);
  const std::int64_t channels = dims[1] * conv.IntOr("group", 1);
  if (channels != static_cast<std::int64_t>(affine->scale.size())) return std::nullopt;
  const bool adds = std::ranges::any_of(affine->shift, [](float shift) { return shift != 0; });
  const auto window = WindowOf(graph, conv);
  if (adds && (!window || window->has_pads())) return std::nullopt;
  match.nodes = {id, reader};
  return match;
}

// Of every element of the weights: which output and which input channel it joins.
struct Channels {
  std::size_t output;
  std::size_t input;
};
template <typename Visit>
void ForEachWeight(const std::vector<std::int64_t>& dims, std::size_t group, bool is_transposed,
                   Visit visit) {
  const auto rows = static_cast<std::size_t>(dims[0]);
  const auto columns = static_cast<std::size_t>(dims[1]);
  std::size_t pixels = 1;
  for (std::size_t i = 2; i < dims.size(); ++i) pixels *= static_cast<std::size_t>(dims[i]);
  for (std::size_t row = 0; row < rows; ++row) {
    const std::size_t first = row / std::max<std::size_t>(1, rows / group) * columns;
    for (std::size_t column = 0; column < columns; ++column) {
      const Channels channels =
          is_transposed ? Channels{first + column, row} : Channels{row, first + column};
      for (std::size_t pixel = 0; pixel < pixels; ++pixel) {
        visit((row * columns + column) * pixels + pixel, channels);
      }
    }
  }
}

void Rewrite(ir::Graph& graph, const Match& match) {
  const auto [affine_id, conv_id] = std::pair(match.nodes[0], match.nodes[1]);
  const ir::Node conv = graph.node(conv_id);
  const auto dims = *DimsOf(graph, conv.inputs[1]);
  std::vector<float> weights = *FixedFloats(graph, conv.inputs[1]);
  std::vector<double> bias(static_cast<std::size_t>(NumOutputChannels(graph, conv)), 0.0);
  const bool had_bias = Input(conv, 2).valid();
  if (had_bias) std::ranges::copy(*FixedFloats(graph, conv.inputs[2]), bias.begin());
  const Affine& affine = match.affine;
  ForEachWeight(dims, static_cast<std::size_t>(conv.IntOr("group", 1)), conv.Is("ConvTranspose"),
                [&](std::size_t i, Channels channels) {
                  const std::size_t c = match.is_behind ? channels.output : channels.input;
                  if (!match.is_behind) {
                    bias[channels.output] += double{weights[i]} * affine.shift[c];
                  }
                  weights[i] *= affine.scale[c];
                });
  for (std::size_t c = 0; c < bias.size() && match.is_behind; ++c) {
    bias[c] = bias[c] * affine.scale[c] + affine.shift[c];
  }
  std::vector<ir::ValueId> inputs = conv.inputs;
  inputs[1] = graph.AddConstant(graph.FreshName(graph.value(inputs[1]).name),
                                ir::Tensor::FromFloats(dims, weights));
  if (had_bias || std::ranges::any_of(bias, [](double value) { return value != 0; })) {
    const std::string wish = had_bias ? graph.value(inputs[2]).name : conv.name + "_bias";
    inputs.resize(2);
    inputs.push_back(
        graph.AddConstant(graph.FreshName(wish),
                          ir::Tensor::FromFloats({static_cast<std::int64_t>(bias.size())},
                                                 std::vector<float>(bias.begin(), bias.end()))));
  }
  if (match.is_behind) {
    // The convolution moves to where the affine node stood, whose result it computes now.
    SetOperation(graph, affine_id, {conv.op_type, std::move(inputs), conv.attributes});
    EraseUnread(graph, {conv_id});
  } else {
    inputs[0] = graph.node(affine_id).inputs[affine.data];
    SetOperation(graph, conv_id, {conv.op_type, std::move(inputs), conv.attributes});
    EraseUnread(graph, {affine_id});
  }
}

}  // namespace

extern const Pass fold_affine_into_conv;
const Pass fold_affine_into_conv = {
    .name = "fold_affine_into_conv",
    .summary = "moves scales, shifts and batch normalization into the weights of a convolution",
    .exactness = Exactness::kReassociates,
    .find = FindMatches<MatchNode, 2>,
    .apply = ApplyMatch<MatchNode, Rewrite>,
};

}  // namespace opass::passes
