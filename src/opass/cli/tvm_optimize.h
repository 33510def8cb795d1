#pragma once

#include <string>

#include "opass/tvm/optimize.h"

namespace opass::cli {

// What `opass tvm optimize` prints.
std::string OptimizedText(const tvm::Optimized& optimized, const std::string& path);

}  // namespace opass::cli
