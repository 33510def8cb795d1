#pragma once

#include <string>

#include "opass/frontends/onnx/bind.h"
#include "opass/ir/graph.h"
#include "opass/support/result.h"

namespace opass::frontends {

// An ONNX model ready for passes and planning: read from `path` ("-": standard input), checked, its
// dimensions bound, all inputs static, types inferred, the graph verified.
Result<ir::Model> ImportOnnx(const std::string& path, const ShapeBindings& bindings);

}  // namespace opass::frontends
