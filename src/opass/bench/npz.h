#pragma once

#include <map>
#include <string>
#include <string_view>

#include "opass/ir/tensor.h"
#include "opass/support/result.h"

namespace opass::bench {

// The arrays of NumPy's .npz file (a zip of .npy files, stored or deflated) by name without ".npy".
// Errors (kInvalidInput) name the file; an array may have at most 256 MiB.
Result<std::map<std::string, ir::TensorPtr>> ReadNpz(const std::string& path);
// The same from memory; `path` names it in errors.
Result<std::map<std::string, ir::TensorPtr>> ParseNpz(std::string_view zip,
                                                      const std::string& path);

}  // namespace opass::bench
