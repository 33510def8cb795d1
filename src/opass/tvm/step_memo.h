#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>

#include "opass/tvm/session.h"

namespace opass::tvm {

// What passes made of modules, so that several searches over one model run each pass on each module
// once.
using StepMemo = std::map<std::pair<std::uint64_t, std::string>, PassResult>;

}  // namespace opass::tvm
