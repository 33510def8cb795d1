// fold_pad_into_conv: a Pad of zeros becomes the pads of the convolutions that read it.
//
//   p = Pad(x, rows 1+1, columns 1+1, value 0); y = Conv(p, w)   ->   y = Conv<pads 1>(x, w)
//
// Legal: constant zeros around spatial dimensions alone, and every reader is a Conv with explicit
// pads, or an AveragePool that counts its pads and whose pads stay below its kernel. Exact: the
// same products are summed.
#include <algorithm>
#include <cmath>

#include "opass/passes/rewrite.h"
#include "opass/passes/window.h"

namespace opass::passes {
namespace {

struct Match {
  std::vector<ir::NodeId> nodes;  // the Pad, then its readers
  std::string what;
  std::vector<std::int64_t> pads;  // of the spatial dimensions: begins, then ends
};

// What fills the new rows must be +0.
bool IsFilledWithZeros(const ir::Graph& graph, const ir::Node& pad) {
  if (pad.StringOr("mode", "constant") != "constant") return false;
  float value = pad.FloatOr("value", 0);
  if (pad.inputs.size() > 2 && pad.inputs[2].valid()) {
    const auto scalar = FixedScalar(graph, pad.inputs[2]);
    if (!scalar) return false;
    value = *scalar;
  }
  return value == 0 && !std::signbit(value);
}

// The pads of all dimensions, begins then ends, whichever way they are given.
std::optional<std::vector<std::int64_t>> AllPads(const ir::Graph& graph, const ir::Node& pad,
                                                 std::size_t rank) {
  std::optional<std::vector<std::int64_t>> given;
  if (const auto* attribute = pad.Ints("pads")) given = *attribute;
  if (pad.inputs.size() > 1) given = FixedInts(graph, pad.inputs[1]);
  if (!given) return std::nullopt;
  std::vector<std::int64_t> axes(rank);
  for (std::size_t i = 0; i < rank; ++i) axes[i] = static_cast<std::int64_t>(i);
  if (pad.inputs.size() > 3 && pad.inputs[3].valid()) {
    const auto some = FixedInts(graph, pad.inputs[3]);
    if (!some) return std::nullopt;
    axes = *some;
  }
  if (given->size() != 2 * axes.size()) return std::nullopt;
  std::vector<std::int64_t> pads(2 * rank, 0);
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const std::int64_t axis = axes[i] < 0 ? axes[i] + static_cast<std::int64_t>(rank) : axes[i];
    if (axis < 0 || axis >= static_cast<std::int64_t>(rank)) return std::nullopt;
    pads[static_cast<std::size_t>(axis)] = (*given)[i];
    pads[static_cast<std::size_t>(axis) + rank] = (*given)[i + axes.size()];
  }
  return pads;
}

// Can the reader pad by so much more?
bool TakesPads(const ir::Graph& graph, const ir::Node& reader, ir::ValueId padded,
               const std::vector<std::int64_t>& pads) {
  const bool is_conv = reader.Is("Conv");
  const bool is_pool = reader.Is("AveragePool") && reader.IntOr("count_include_pad", 0) == 1 &&
                       reader.IntOr("ceil_mode", 0) == 0;
  if (!is_conv && !is_pool) return false;
  if (std::ranges::count(reader.inputs, padded) != 1 || reader.inputs[0] != padded) return false;
  const auto window = WindowOf(graph, reader);
  if (!window || window->pads.size() != pads.size()) return false;
  for (std::size_t i = 0; i < pads.size() && is_pool; ++i) {
    if (window->pads[i] + pads[i] >= window->kernel[i % window->kernel.size()]) return false;
  }
  return true;
}

std::optional<Match> MatchPad(const ir::Model& model, const Uses& uses, ir::NodeId id, int) {
  const ir::Graph& graph = model.graph;
  const ir::Node& pad = graph.node(id);
  if (!pad.Is("Pad") || !IsFilledWithZeros(graph, pad)) return std::nullopt;
  const auto dims = DimsOf(graph, pad.inputs[0]);
  if (!dims || dims->size() < 3) return std::nullopt;
  const auto all = AllPads(graph, pad, dims->size());
  const ir::ValueId padded = pad.outputs[0];
  if (!all || uses.IsOutput(padded) || uses.Readers(padded).empty()) return std::nullopt;
  Match match;
  for (std::size_t i = 0; i < all->size(); ++i) {
    const bool is_spatial = i % dims->size() >= 2;
    constexpr std::int64_t kMaxPad = std::int64_t{1} << 40;
    if ((*all)[i] < 0 || (*all)[i] > kMaxPad || (!is_spatial && (*all)[i] != 0)) {
      return std::nullopt;
    }
    if (is_spatial) match.pads.push_back((*all)[i]);
  }
  match.nodes.push_back(id);
  for (const ir::NodeId reader : uses.Readers(padded)) {
    if (!TakesPads(graph, graph.node(reader), padded, match.pads)) return std::nullopt;
    match.nodes.push_back(reader);
  }
  return match;
}

void Rewrite(ir::Graph& graph, const Match& match) {
  const ir::NodeId pad = match.nodes.front();
  for (const ir::NodeId reader : match.nodes) {
    if (reader == pad) continue;
    std::vector<std::int64_t> pads = WindowOf(graph, graph.node(reader))->pads;
    for (std::size_t i = 0; i < pads.size(); ++i) pads[i] += match.pads[i];
    SetPads(graph.node(reader), std::move(pads));
    graph.node(reader).inputs[0] = graph.node(pad).inputs[0];
  }
  EraseUnread(graph, {pad});
}

}  // namespace

extern const Pass fold_pad_into_conv;
const Pass fold_pad_into_conv = {
    .name = "fold_pad_into_conv",
    .summary = "lets convolutions and pools pad by themselves instead of reading a padded copy",
    .exactness = Exactness::kExact,
    .find = FindMatches<MatchPad>,
    .apply = ApplyMatch<MatchPad, Rewrite>,
};

}  // namespace opass::passes
