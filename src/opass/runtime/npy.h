#pragma once

#include <string>

#include "opass/ir/tensor.h"
#include "opass/support/result.h"

namespace opass::runtime {

// NumPy's file of one array (format versions 1 to 3): numbers and bool, little- or big-endian, C or
// Fortran order, and unicode strings. Errors are kInvalidInput and name the file.
Result<ir::TensorPtr> ReadNpy(const std::string& path);
Result<ir::TensorPtr> ParseNpy(std::string_view content, const std::string& path);

// The array as the bytes of a file, version 1.0, C order. Error: a type that NumPy does not have.
Result<std::string> FormatNpy(const ir::Tensor& tensor);

}  // namespace opass::runtime
