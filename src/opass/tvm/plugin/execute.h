#pragma once

#include <vector>

#include "opass/tvm/plugin/lay_out.h"
#include "opass/tvm/plugin/reflect.h"
#include "opass/tvm/session.h"

namespace opass::tvm {

// Runs an executable on TVM's own virtual machine. `parameters`: of the main function. `calls`:
// what the kernels of a laid-out module write; empty for others.
RunReport Execute(const Object& loadable, const Objects& parameters,
                  const std::vector<ExpectedCall>& calls, const RunOptions& options);

}  // namespace opass::tvm
