#include "opass/frontends/relay/operators.h"

namespace opass::frontends::relay {
namespace {

using Rows = std::span<const Operator> (*)();
constexpr Rows kTables[] = {
    ElementwiseOperators,  TypeOperators,   ReduceOperators, SortOperators,
    ShapeOperators,        LayoutOperators, LikeOperators,   DynamicOperators,
    PieceOperators,        IndexOperators,  MatrixOperators, NormalizationOperators,
    ConvolutionOperators,  PoolOperators,   BlockOperators,  ImageOperators,
    QuantizationOperators,
};

}  // namespace

const Operator* FindOperator(std::string_view name) {
  for (const Rows rows : kTables) {
    for (const Operator& row : rows()) {
      if (row.name == name) return &row;
    }
  }
  return nullptr;
}

}  // namespace opass::frontends::relay
