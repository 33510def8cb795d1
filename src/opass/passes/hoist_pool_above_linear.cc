// hoist_pool_above_linear: the mean over all pixels of what is linear in every pixel alone is that
// of the mean pixel.
//
//   y = Conv1x1(x, w, b); g = GlobalAveragePool(y)   ->   m = GlobalAveragePool(x);
//                                                         g = Conv1x1(m, w, b)
//
// Legal: a Conv of kernel and stride 1 without pads (any groups), or a BatchNormalization at
// inference; the pool is a GlobalAveragePool, or a ReduceMean over all spatial dimensions that
// keeps them. The convolution may have other readers: one of its results is a gate on the other.
// Rounds differently; a few more operations on one pixel.
#include <algorithm>

#include "opass/passes/rewrite.h"
#include "opass/passes/window.h"

namespace opass::passes {
namespace {

struct Match {
  std::vector<ir::NodeId> nodes;  // the pool, the linear node
  std::string what;
};

// Averages over exactly the dimensions from the third on and keeps them?
bool IsMeanOfPixels(const ir::Graph& graph, const ir::Node& node, std::size_t rank) {
  if (node.Is("GlobalAveragePool")) return true;
  if (!node.Is("ReduceMean") || node.IntOr("keepdims", 1) != 1) return false;
  std::optional<std::vector<std::int64_t>> axes;
  if (const auto* attribute = node.Ints("axes")) axes = *attribute;
  if (node.inputs.size() > 1) axes = FixedInts(graph, node.inputs[1]);
  if (!axes || axes->size() != rank - 2) return false;
  for (std::int64_t& axis : *axes) axis += axis < 0 ? static_cast<std::int64_t>(rank) : 0;
  std::ranges::sort(*axes);
  for (std::size_t i = 0; i < axes->size(); ++i) {
    if ((*axes)[i] != static_cast<std::int64_t>(i + 2)) return false;
  }
  return true;
}

bool IsLinearInEveryPixel(const ir::Graph& graph, const ir::Node& node) {
  if (node.Is("Conv")) {
    const auto window = WindowOf(graph, node);
    return window && window->is_pointwise();
  }
  return node.Is("BatchNormalization") && node.outputs.size() == 1 && node.inputs.size() == 5 &&
         node.IntOr("training_mode", 0) == 0 && node.IntOr("spatial", 1) == 1;
}

std::optional<Match> MatchPool(const ir::Model& model, const Uses&, ir::NodeId id, int) {
  const ir::Graph& graph = model.graph;
  const ir::Node& pool = graph.node(id);
  if (!IsFloat32(graph, pool.inputs[0])) return std::nullopt;
  const auto dims = DimsOf(graph, pool.inputs[0]);
  if (!dims || dims->size() < 3 || !IsMeanOfPixels(graph, pool, dims->size())) return std::nullopt;
  const ir::Node* linear = ProducerOf(graph, pool.inputs[0]);
  if (linear == nullptr || !IsLinearInEveryPixel(graph, *linear)) return std::nullopt;
  const auto input_dims = DimsOf(graph, linear->inputs[0]);
  // Of one pixel there is nothing to gain.
  const bool is_one_pixel =
      std::all_of(dims->begin() + 2, dims->end(), [](std::int64_t dim) { return dim == 1; });
  if (!input_dims || is_one_pixel) return std::nullopt;
  return Match{{id, graph.value(pool.inputs[0]).producer}, ""};
}

void Rewrite(ir::Graph& graph, const Match& match) {
  const ir::NodeId pool = match.nodes[0];
  const ir::NodeId linear = match.nodes[1];
  std::vector<ir::ValueId> inputs = graph.node(linear).inputs;
  std::vector<std::int64_t> dims = *DimsOf(graph, inputs[0]);
  std::fill(dims.begin() + 2, dims.end(), 1);
  std::vector<ir::ValueId> pooled = graph.node(pool).inputs;
  pooled[0] = inputs[0];
  inputs[0] = InsertNode(
      graph, pool, {graph.node(pool).op_type, std::move(pooled), graph.node(pool).attributes},
      ir::Type::Tensor(ir::DataType::kFloat, dims), graph.value(inputs[0]).name + "_mean");
  SetOperation(graph, pool,
               {graph.node(linear).op_type, std::move(inputs), graph.node(linear).attributes});
  EraseUnread(graph, {linear});
}

}  // namespace

extern const Pass hoist_pool_above_linear;
const Pass hoist_pool_above_linear = {
    .name = "hoist_pool_above_linear",
    .summary = "averages the pixels before a pointwise convolution instead of behind it",
    .exactness = Exactness::kReassociates,
    .find = FindMatches<MatchPool>,
    .apply = ApplyMatch<MatchPool, Rewrite>,
};

}  // namespace opass::passes
