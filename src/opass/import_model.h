#pragma once

#include <string>

#include "opass/frontends/onnx/bind.h"
#include "opass/ir/graph.h"
#include "opass/support/result.h"

namespace opass {

// A model ready for passes and planning from a file of any kind that opass reads ("-": standard
// input): ONNX, or a Relay text, which has no open dimensions to bind.
Result<ir::Model> ImportModel(const std::string& path, const frontends::ShapeBindings& bindings);

}  // namespace opass
