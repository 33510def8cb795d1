#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "opass/ir/graph.h"
#include "opass/passes/uses.h"

namespace opass::passes {

// An activation that several nodes compute together.
struct Activation {
  std::string_view op_type;  // HardSwish, Gelu or Swish
  ir::ValueId x;
  bool is_tanh_form = false;      // of Gelu
  double alpha = 1;               // of Swish
  std::vector<ir::NodeId> nodes;  // the last one first
};

// The first operator set that has the operator.
std::int64_t FirstOpset(const Activation& activation);

// The activation whose result the node computes. Inner values are read by these nodes alone.
std::optional<Activation> FindActivation(const ir::Graph& graph, const Uses& uses, ir::NodeId last);

}  // namespace opass::passes
