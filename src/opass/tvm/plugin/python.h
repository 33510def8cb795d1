#pragma once

#include <string>

namespace opass::tvm {

// Starts the interpreter inside this process, apart from the user's environment, and runs
// script.py in it. It is never ended: TVM's objects outlive everything. Answers what went wrong;
// empty: nothing.
std::string StartPython();

}  // namespace opass::tvm
