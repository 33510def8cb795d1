#pragma once

#include "opass/memory/problem.h"
#include "opass/tvm/plugin/function_view.h"

namespace opass::tvm {

// Per root of the view its value in the problem; not valid where it has none.
struct Posed {
  memory::Problem problem;
  std::vector<memory::ValueId> value_of;
};

// One operator per step, one value per root that a step makes. Whoever reads a root before it is
// overwritten in place runs before that, and whoever reads it later after that: values without
// bytes say so.
Posed Pose(const FunctionView& view);

}  // namespace opass::tvm
