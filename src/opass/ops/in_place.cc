#include "opass/ops/in_place.h"

#include <algorithm>
#include <span>
#include <string_view>

namespace opass::ops {
namespace {

// Which inputs qualify, besides having the type and shape of the output.
enum class Rule {
  kFirst,        // input 0; others (a broadcast operand, parameters, indices) are only read
  kAny,          // any of the two operands
  kFirstOrLast,  // input 0, or the last one when all have the shape of the output
  kBranches,     // Where: X or Y
  kSingle,       // input 0 of a node with one output (statistics outputs would need a second pass)
};

struct Row {
  std::string_view op_type;
  Rule rule;
};

constexpr Row kRows[] = {
    {"Abs", Rule::kFirst},
    {"Add", Rule::kAny},
    {"And", Rule::kFirst},
    {"Atan", Rule::kFirst},
    {"BatchNormalization", Rule::kSingle},
    {"BitwiseAnd", Rule::kFirst},
    {"Cast", Rule::kFirst},
    {"Ceil", Rule::kFirst},
    {"Celu", Rule::kFirst},
    {"Clip", Rule::kFirst},
    {"Cos", Rule::kFirst},
    {"CumSum", Rule::kFirst},
    {"DequantizeLinear", Rule::kFirst},
    {"Div", Rule::kAny},
    {"Elu", Rule::kFirst},
    {"Erf", Rule::kFirst},
    {"Exp", Rule::kFirst},
    {"Expand", Rule::kFirst},
    {"Floor", Rule::kFirst},
    {"GroupNormalization", Rule::kSingle},
    {"HardSigmoid", Rule::kFirst},
    {"HardSwish", Rule::kFirst},
    {"InstanceNormalization", Rule::kFirst},
    {"LRN", Rule::kFirst},
    {"LayerNormalization", Rule::kSingle},
    {"LeakyRelu", Rule::kFirst},
    {"Log", Rule::kFirst},
    {"LogSoftmax", Rule::kFirst},
    {"LpNormalization", Rule::kFirst},
    {"Max", Rule::kFirstOrLast},
    {"Mean", Rule::kFirstOrLast},
    {"Min", Rule::kFirstOrLast},
    {"Mish", Rule::kFirst},
    {"Mod", Rule::kFirst},
    {"Mul", Rule::kAny},
    {"Neg", Rule::kFirst},
    {"Not", Rule::kFirst},
    {"Or", Rule::kFirst},
    {"PRelu", Rule::kFirst},
    {"Pow", Rule::kFirst},
    {"RMSNormalization", Rule::kSingle},
    {"Reciprocal", Rule::kFirst},
    {"Relu", Rule::kFirst},
    {"Round", Rule::kFirst},
    {"ScatterElements", Rule::kFirst},
    {"ScatterND", Rule::kFirst},
    {"Selu", Rule::kFirst},
    {"Sigmoid", Rule::kFirst},
    {"Sign", Rule::kFirst},
    {"Sin", Rule::kFirst},
    {"Softmax", Rule::kFirst},
    {"Softplus", Rule::kFirst},
    {"Softsign", Rule::kFirst},
    {"Sqrt", Rule::kFirst},
    {"Sub", Rule::kAny},
    {"Sum", Rule::kFirstOrLast},
    {"Swish", Rule::kFirst},
    {"Tanh", Rule::kFirst},
    {"ThresholdedRelu", Rule::kFirst},
    {"Trilu", Rule::kFirst},
    {"Where", Rule::kBranches},
    {"Xor", Rule::kFirst},
};
static_assert(std::ranges::is_sorted(kRows, {}, &Row::op_type));

// What an attribute turns into another algorithm than the row was measured with.
bool IsMeasuredForm(const ir::Node& node) {
  // An exclusive sum reads the element before the one it writes.
  return node.op_type != "CumSum" || node.IntOr("exclusive", 0) == 0;
}

// Same static shape and same width of an element: a narrower or wider element is written where
// another one is still to be read.
bool Fits(const ir::Graph& graph, ir::ValueId input, ir::ValueId output) {
  if (!input.valid()) return false;
  const ir::Type& from = graph.value(input).type;
  const ir::Type& to = graph.value(output).type;
  const auto dims = from.StaticDims();
  return dims && dims == to.StaticDims() && ir::BitWidth(from.elem) > 0 &&
         ir::BitWidth(from.elem) == ir::BitWidth(to.elem);
}

}  // namespace

std::vector<std::size_t> InPlaceInputs(const ir::Graph& graph, const ir::Node& node) {
  if (!node.domain.empty() || node.inputs.empty() || node.outputs.empty()) return {};
  const auto row =
      std::ranges::lower_bound(kRows, std::string_view(node.op_type), {}, &Row::op_type);
  if (row == std::end(kRows) || row->op_type != node.op_type || !node.outputs[0].valid() ||
      !IsMeasuredForm(node)) {
    return {};
  }
  const auto fits = [&](std::size_t i) { return Fits(graph, node.inputs[i], node.outputs[0]); };
  const bool has_more_outputs =
      std::any_of(node.outputs.begin() + 1, node.outputs.end(), [](auto id) { return id.valid(); });
  const std::size_t last = node.inputs.size() - 1;
  std::vector<std::size_t> candidates;
  switch (row->rule) {
    case Rule::kFirst:
      candidates = {0};
      break;
    case Rule::kSingle:
      if (!has_more_outputs) candidates = {0};
      break;
    case Rule::kAny:
      for (std::size_t i = 0; i <= last; ++i) candidates.push_back(i);
      break;
    case Rule::kFirstOrLast: {
      candidates = {0};
      bool all_fit = last > 0;
      for (std::size_t i = 0; i <= last; ++i) all_fit = all_fit && fits(i);
      if (all_fit) candidates.push_back(last);
      break;
    }
    case Rule::kBranches:
      for (std::size_t i = 1; i <= last; ++i) candidates.push_back(i);
      break;
  }
  std::erase_if(candidates, [&](std::size_t i) { return !fits(i); });
  return candidates;
}

}  // namespace opass::ops
