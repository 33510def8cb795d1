#include "opass/ops/macs.h"

#include <limits>
#include <string_view>
#include <vector>

#include "opass/support/bytes.h"

namespace opass::ops {
namespace {

using Dims = std::vector<std::int64_t>;

enum class Form { kConv, kConvTranspose, kMatMul, kGemm };

// Where the operands stand in the node's inputs.
struct Row {
  std::string_view op_type;
  Form form;
  std::size_t left = 0;
  std::size_t right = 1;
};

constexpr Row kRows[] = {
    {"Conv", Form::kConv},
    {"ConvInteger", Form::kConv},
    {"QLinearConv", Form::kConv, 0, 3},
    {"ConvTranspose", Form::kConvTranspose},
    {"MatMul", Form::kMatMul},
    {"MatMulInteger", Form::kMatMul},
    {"QLinearMatMul", Form::kMatMul, 0, 3},
    {"Gemm", Form::kGemm},
};

std::optional<std::int64_t> Product(const Dims& factors) {
  std::optional<std::int64_t> product = 1;
  for (const std::int64_t factor : factors) {
    product = CheckedMul(*product, factor);
    if (!product) return std::nullopt;
  }
  return product;
}

std::optional<Dims> DimsAt(const ir::Graph& graph, const std::vector<ir::ValueId>& values,
                           std::size_t position) {
  if (position >= values.size() || !values[position].valid()) return std::nullopt;
  return graph.value(values[position]).type.StaticDims();
}

// How many products are added up for one element: of the output, or with ConvTranspose of the
// input.
std::optional<std::int64_t> Terms(const ir::Node& node, Form form, const Dims& left,
                                  const Dims& right) {
  if (form == Form::kMatMul || form == Form::kGemm) {
    if (left.empty()) return std::nullopt;
    const bool turned = form == Form::kGemm && node.IntOr("transA", 0) != 0;
    return turned ? left.front() : left.back();
  }
  // Weights are [out, in / group, kernel...], of ConvTranspose [in, out / group, kernel...].
  if (right.size() < 2) return std::nullopt;
  return Product({right.begin() + 1, right.end()});
}

}  // namespace

std::optional<std::int64_t> MacsOf(const ir::Graph& graph, const ir::Node& node) {
  if (!node.domain.empty()) return 0;
  for (const Row& row : kRows) {
    if (node.op_type != row.op_type) continue;
    const auto left = DimsAt(graph, node.inputs, row.left);
    const auto right = DimsAt(graph, node.inputs, row.right);
    const auto output = DimsAt(graph, node.outputs, 0);
    if (!left || !right || !output) return std::nullopt;
    const auto terms = Terms(node, row.form, *left, *right);
    const auto elements = Product(row.form == Form::kConvTranspose ? *left : *output);
    if (!terms || !elements) return std::nullopt;
    return Product({*elements, *terms});
  }
  return 0;
}

std::int64_t Macs(const ir::Graph& graph) {
  std::int64_t sum = 0;
  const auto add = [&](std::int64_t macs) {
    sum = CheckedAdd(sum, macs).value_or(std::numeric_limits<std::int64_t>::max());
  };
  for (const ir::NodeId id : graph.order) {
    add(MacsOf(graph, graph.node(id)).value_or(0));
    ir::ForEachSubgraph(graph.node(id), [&](const ir::Graph& subgraph) { add(Macs(subgraph)); });
  }
  return sum;
}

}  // namespace opass::ops
