#include "opass/runtime/jumps.h"

#include <algorithm>
#include <string_view>

namespace opass::runtime {
namespace {

// QuantizeLinear is not among them: its steps are judged one by one (WithinReassociation).
constexpr std::string_view kJumping[] = {
    "ArgMax",  "ArgMin",  "BitShift",       "Ceil",    "Equal",
    "Floor",   "Greater", "GreaterOrEqual", "Hardmax", "IsInf",
    "IsNaN",   "Less",    "LessOrEqual",    "Mod",     "NonMaxSuppression",
    "NonZero", "Round",   "Sign",           "Shrink",  "ThresholdedRelu",
    "TopK",    "Unique"};

bool IsFloat(ir::DataType type) {
  return type == ir::DataType::kFloat || type == ir::DataType::kDouble ||
         type == ir::DataType::kFloat16 || type == ir::DataType::kBfloat16;
}

bool Jumps(const ir::Graph& graph, const ir::Node& node) {
  if (!node.domain.empty()) return false;
  const bool reads_floats = std::ranges::any_of(node.inputs, [&](ir::ValueId id) {
    return id.valid() && IsFloat(graph.value(id).type.elem);
  });
  if (!reads_floats) return false;
  if (node.Is("Cast")) {
    return !node.outputs.empty() && node.outputs[0].valid() &&
           !IsFloat(graph.value(node.outputs[0]).type.elem);
  }
  return std::ranges::find(kJumping, node.op_type) != std::end(kJumping);
}

}  // namespace

std::vector<Continuity> FindJumps(const ir::Graph& graph) {
  std::vector<Continuity> values(graph.num_values(), Continuity::kSmooth);
  for (const ir::NodeId id : graph.order) {
    Continuity result = Jumps(graph, graph.node(id)) ? Continuity::kJumps : Continuity::kSmooth;
    for (const ir::ValueId read : graph.Reads(id)) {
      if (values[read.index()] != Continuity::kSmooth) result = Continuity::kBehind;
    }
    for (const ir::ValueId output : graph.node(id).outputs) {
      if (output.valid()) values[output.index()] = result;
    }
  }
  return values;
}

}  // namespace opass::runtime
