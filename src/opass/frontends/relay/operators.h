#pragma once

#include <span>
#include <string_view>

#include "opass/frontends/relay/call.h"

namespace opass::frontends::relay {

// The rows of each file of operators.
std::span<const Operator> ElementwiseOperators();
std::span<const Operator> TypeOperators();
std::span<const Operator> ReduceOperators();
std::span<const Operator> SortOperators();
std::span<const Operator> ShapeOperators();
std::span<const Operator> LayoutOperators();
std::span<const Operator> LikeOperators();
std::span<const Operator> DynamicOperators();
std::span<const Operator> PieceOperators();
std::span<const Operator> IndexOperators();
std::span<const Operator> MatrixOperators();
std::span<const Operator> NormalizationOperators();
std::span<const Operator> ConvolutionOperators();
std::span<const Operator> PoolOperators();
std::span<const Operator> BlockOperators();
std::span<const Operator> ImageOperators();
std::span<const Operator> QuantizationOperators();

// Null: no such operator is supported.
const Operator* FindOperator(std::string_view name);

}  // namespace opass::frontends::relay
