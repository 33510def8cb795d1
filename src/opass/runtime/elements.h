#pragma once

#include <optional>
#include <vector>

#include "opass/ir/tensor.h"

namespace opass::runtime {

// Every element of a tensor of numbers, whatever its format (two for a complex one), as a double.
// 64-bit integers beyond 2^53 are rounded. Nothing for strings.
std::optional<std::vector<double>> ToDoubles(const ir::Tensor& tensor);

}  // namespace opass::runtime
