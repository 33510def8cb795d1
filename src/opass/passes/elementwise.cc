#include "opass/passes/elementwise.h"

#include <algorithm>
#include <string_view>

#include "opass/passes/rewrite.h"

namespace opass::passes {
namespace {

constexpr std::string_view kUnary[] = {
    "Abs",       "Cast",
    "Ceil",      "Clip",
    "Erf",       "Exp",
    "Floor",     "HardSigmoid",
    "HardSwish", "IsNaN",
    "LeakyRelu", "Neg",
    "Not",       "Reciprocal",
    "Relu",      "Round",
    "Sigmoid",   "Sign",
    "Softsign",  "Sqrt",
    "Tanh",      "ThresholdedRelu",
};
constexpr std::string_view kBinary[] = {
    "Add", "And", "Div", "Equal", "Greater", "GreaterOrEqual", "Less", "LessOrEqual", "Max",
    "Min", "Mul", "Or",  "Sub",   "Xor",
};
static_assert(std::ranges::is_sorted(kUnary));
static_assert(std::ranges::is_sorted(kBinary));

}  // namespace

bool IsUnaryElementwise(const ir::Node& node) {
  return HasOneResult(node) && std::ranges::binary_search(kUnary, std::string_view(node.op_type));
}

bool IsBinaryElementwise(const ir::Node& node) {
  return HasOneResult(node) && node.inputs.size() == 2 && node.inputs[1].valid() &&
         node.Find("broadcast") == nullptr &&  // before opset 7
         std::ranges::binary_search(kBinary, std::string_view(node.op_type));
}

}  // namespace opass::passes
