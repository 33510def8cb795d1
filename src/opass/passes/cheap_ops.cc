#include "opass/passes/cheap_ops.h"

#include <algorithm>
#include <string_view>

#include "opass/passes/elementwise.h"
#include "opass/passes/rewrite.h"

namespace opass::passes {
namespace {

constexpr std::string_view kCheap[] = {
    "AveragePool",  "BatchNormalization",
    "Concat",       "ConstantOfShape",
    "DepthToSpace", "Elu",
    "Expand",       "Flatten",
    "Gather",       "Identity",
    "Log",          "MaxPool",
    "Pad",          "Pow",
    "Reshape",      "Resize",
    "Slice",        "Softplus",
    "SpaceToDepth", "Squeeze",
    "Tile",         "Transpose",
    "Unsqueeze",    "Upsample",
    "Where",
};
// A Concat of more is not cheap to look at, again and again.
constexpr std::size_t kMaxInputs = 64;
static_assert(std::ranges::is_sorted(kCheap));

}  // namespace

bool IsCheap(const ir::Node& node) {
  if (!HasOneResult(node) || node.inputs.size() > kMaxInputs) return false;
  const bool has_subgraph = std::ranges::any_of(node.attributes, [](const ir::Attribute& a) {
    return std::holds_alternative<ir::GraphAttribute>(a.value);
  });
  if (has_subgraph || node.IntOr("training_mode", 0) != 0) return false;
  return IsUnaryElementwise(node) || IsBinaryElementwise(node) ||
         std::ranges::binary_search(kCheap, std::string_view(node.op_type));
}

}  // namespace opass::passes
