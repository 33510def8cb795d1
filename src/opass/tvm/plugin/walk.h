#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "opass/tvm/plugin/reflect.h"

namespace opass::tvm {

// Calls `visit` once for every object that is reachable through the fields of `root`.
void Walk(const Object& root, const std::function<void(const Object&)>& visit);

// Per parameter of a kernel before its code is lowered: does it store to it?
std::vector<bool> StoredParameters(const Object& kernel);

// Bytes of the buffers that such a kernel makes for itself.
std::int64_t ScratchBytes(const Object& kernel);

// The most bytes that one kernel of a module asks the runtime for, all its requests together; the
// module is as tirx.LowerTVMBuiltin leaves it.
std::int64_t LargestWorkspace(const Object& module);

}  // namespace opass::tvm
