#pragma once

#include <string>

#include "opass/ir/graph.h"
#include "opass/support/result.h"

namespace opass::onnxlib {

// Infers the types of all values, subgraphs included, with ONNX's shape inference and propagation
// of shape data, and merges them into the model: what is known stays known, a symbol gives way to a
// number. Initializers that may be overridden count with the content they have.
// Errors: an operator whose inputs cannot be right, and a value whose declared type contradicts the
// inferred one (reason "type-mismatch").
Status InferTypes(ir::Model& model);

// `inferred` and `declared` as one type, the more precise of each dimension; `what` names the value
// in the error when they contradict each other.
Result<ir::Type> MergeTypes(const ir::Type& declared, const ir::Type& inferred,
                            const std::string& what);

}  // namespace opass::onnxlib
