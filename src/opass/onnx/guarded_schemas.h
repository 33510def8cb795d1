#pragma once

#include "onnx/defs/schema.h"

namespace opass::onnxlib {

// ONNX's schemas with guards around what their inference does with sizes that a file claims
// (1.23.2): operands that list a shape, axes, starts or pads are refused above 2,048 entries, also
// when their type was only inferred, because Slice allocates them; and shape data is not propagated
// where it would have more than 1,024 entries (a chain of Concats doubles it) or where a Slice has
// a step that leaves int (it would never end).
const ::onnx::ISchemaRegistry& GuardedSchemas();

}  // namespace opass::onnxlib
