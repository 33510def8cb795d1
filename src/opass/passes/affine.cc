#include "opass/passes/affine.h"

#include <algorithm>
#include <cmath>

#include "opass/passes/rewrite.h"

namespace opass::passes {
namespace {

// One number a channel out of a constant that broadcasts to `dims` without varying in any other
// dimension.
std::optional<std::vector<float>> PerChannel(const ir::Graph& graph, ir::ValueId id,
                                             const std::vector<std::int64_t>& dims) {
  const auto floats = FixedFloats(graph, id);
  if (!floats) return std::nullopt;
  const auto channels = static_cast<std::size_t>(dims[1]);
  if (floats->size() == 1) return std::vector<float>(channels, floats->front());
  const std::vector<std::int64_t>& own = graph.value(id).constant->dims;
  if (own.size() > dims.size() || floats->size() != channels) return std::nullopt;
  const std::size_t missing = dims.size() - own.size();  // leading dimensions of size 1
  if (missing > 1 || own[1 - missing] != dims[1]) return std::nullopt;
  return floats;
}

std::optional<Affine> OfBatchNormalization(const ir::Graph& graph, const ir::Node& node) {
  if (node.inputs.size() != 5 || node.outputs.size() != 1) return std::nullopt;
  if (node.IntOr("training_mode", 0) != 0 || node.IntOr("spatial", 1) != 1 ||
      node.IntOr("is_test", 1) != 1) {
    return std::nullopt;
  }
  std::vector<float> parameters[4];  // scale, bias, mean, variance
  const auto dims = *DimsOf(graph, node.inputs[0]);
  for (std::size_t i = 0; i < 4; ++i) {
    const auto floats = FixedFloats(graph, node.inputs[i + 1]);
    if (!floats || floats->size() != static_cast<std::size_t>(dims[1])) return std::nullopt;
    parameters[i] = *floats;
  }
  Affine affine;
  const double epsilon = node.FloatOr("epsilon", 1e-5f);
  for (std::size_t c = 0; c < parameters[0].size(); ++c) {
    const double scale = parameters[0][c] / std::sqrt(parameters[3][c] + epsilon);
    affine.scale.push_back(static_cast<float>(scale));
    affine.shift.push_back(static_cast<float>(parameters[1][c] - parameters[2][c] * scale));
  }
  return affine;
}

std::optional<Affine> OfBinary(const ir::Graph& graph, const ir::Node& node) {
  if (node.inputs.size() != 2 || node.Find("broadcast") != nullptr) return std::nullopt;
  const bool swaps = node.Is("Mul") || node.Is("Add");
  if (!swaps && !node.Is("Div") && !node.Is("Sub")) return std::nullopt;
  Affine affine;
  affine.data = swaps && IsFixed(graph, node.inputs[0]) ? 1 : 0;
  const auto dims = DimsOf(graph, node.inputs[affine.data]);
  if (!dims || dims->size() < 2) return std::nullopt;
  auto constant = PerChannel(graph, node.inputs[1 - affine.data], *dims);
  if (!constant) return std::nullopt;
  const std::vector<float> ones(constant->size(), 1.0f);
  const std::vector<float> zeros(constant->size(), 0.0f);
  if (node.Is("Div"))
    std::ranges::transform(*constant, constant->begin(), [](float v) { return 1 / v; });
  if (node.Is("Sub")) std::ranges::transform(*constant, constant->begin(), std::negate<>());
  const bool multiplies = node.Is("Mul") || node.Is("Div");
  affine.scale = multiplies ? *constant : ones;
  affine.shift = multiplies ? zeros : *constant;
  return affine;
}

}  // namespace

std::optional<Affine> AffineOf(const ir::Graph& graph, const ir::Node& node) {
  if (!HasOneResult(node) || !IsFloat32(graph, node.outputs[0])) return std::nullopt;
  const auto dims = DimsOf(graph, node.outputs[0]);
  if (!dims || dims->size() < 2) return std::nullopt;
  const bool is_batch_normalization =
      node.Is("BatchNormalization") && DimsOf(graph, node.inputs[0]) == dims;
  auto affine = is_batch_normalization ? OfBatchNormalization(graph, node) : OfBinary(graph, node);
  if (!affine || !SameType(graph, node.inputs[affine->data], node.outputs[0])) return std::nullopt;
  const auto is_finite = [](float value) { return std::isfinite(value); };
  if (!std::ranges::all_of(affine->scale, is_finite)) return std::nullopt;
  if (!std::ranges::all_of(affine->shift, is_finite)) return std::nullopt;
  return affine;
}

}  // namespace opass::passes
