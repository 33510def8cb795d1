#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "opass/memory/problem.h"

namespace opass::memory {

// Why no order can need less than `bytes`.
struct Certificate {
  enum class Kind {
    kNone,         // no bound was computed (bytes = 0)
    kResident,     // the bytes live before the first or after the last step
    kOperator,     // what `op` needs by itself: inputs, outputs, workspace, less what it shares
    kOperatorCut,  // the cheapest state in which `op` can run (a minimum cut)
  };

  Kind kind = Kind::kNone;
  std::int64_t bytes = 0;
  OpId op;  // the operator that needs them
  // kOperatorCut: the operators executed before `op` in the cheapest state (the source side).
  std::vector<OpId> executed;
};

}  // namespace opass::memory
