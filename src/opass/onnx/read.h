#pragma once

#include <string>

#include "opass/ir/graph.h"
#include "opass/support/result.h"

namespace opass::onnxlib {

// Reads an ONNX model from a file, or from standard input for "-". The input is hostile until it is
// checked: every fault is one Error (kInvalidInput) that names the file and the place. Weights are
// held once; those in external files are mapped.
Result<ir::Model> ReadModelFile(const std::string& path);

// The same from bytes; `where` names them in errors, `folder` holds the external data (empty: none
// is allowed).
Result<ir::Model> ReadModelBytes(const std::string& bytes, const std::string& where,
                                 const std::string& folder);

}  // namespace opass::onnxlib
