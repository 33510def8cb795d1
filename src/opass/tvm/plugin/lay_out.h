#pragma once

#include <string>
#include <vector>

#include "opass/tvm/plugin/reflect.h"
#include "opass/tvm/session.h"

namespace opass::tvm {

// What a run is compared with: per kernel call, in the order of the calls, the values that it
// writes into the arena and their places among its arguments.
struct ExpectedCall {
  struct Written {
    memory::ValueId value;
    std::size_t argument = 0;
  };
  std::vector<Written> written;
};

struct LaidOut {
  Object module;
  std::vector<ExpectedCall> calls;
};

// Session::ApplyLayout.
LaidOut LayOut(const Object& lowered, const Layout& layout);

// The module with other blocks in its main function.
Object WithBlocks(const Object& module, const Objects& blocks);

}  // namespace opass::tvm
