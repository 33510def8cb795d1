#pragma once

#include <string>
#include <vector>

#include "opass/ir/graph.h"
#include "opass/support/result.h"

namespace opass::frontends {

// What the user says about unknown dimensions, as it stands on the command line.
struct ShapeBindings {
  // "name=1,3,224,224" or "name=1x3x224x224": all dimensions of one graph input. The last '='
  // splits, so names may hold '=', ':' and '/'.
  std::vector<std::string> shapes;
  // "batch=1", or "batch<=8": the value, or the largest value, of a symbolic dimension. A plan is
  // made for exactly that value; for an upper bound it has room for all smaller ones.
  std::vector<std::string> dims;
};

// Puts the values into the model: a symbol that an input's shape or a dimension binds is replaced
// wherever it stands. When something was bound, what the file claims of the shapes of inner values
// and outputs is dropped where inference finds it anew, because files often claim the exporter's
// sizes. Errors (reason "bad-binding"): a text that cannot be read, an unknown input or symbol, a
// wrong rank, a dimension that is static and differs, and two values for one symbol.
Status Bind(ir::Model& model, const ShapeBindings& bindings);

// One error for all dimensions of graph inputs that are still unknown, with the flags that bind
// them (reason "unknown-dimensions").
Status RequireStaticInputs(const ir::Model& model);

}  // namespace opass::frontends
