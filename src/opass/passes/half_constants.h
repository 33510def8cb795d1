#pragma once

#include "opass/ir/graph.h"

// Float32 constants in float16.
namespace opass::passes {

// Whether the node computes nearly the same when its fixed float32 constant `tensor` is in float16.
// Not when finite elements are out of range, unless they stand for infinity (a mask's -1e9 and
// beyond, in an operator that only compares, adds, scales or copies) or only bound a Clip; and not
// when all that is not zero would become zero (an epsilon).
bool FitsFloat16(const ir::Node& node, const ir::Tensor& tensor);

// The tensor in float16, each element the nearest; finite ones stay finite.
ir::TensorPtr ToFloat16(const ir::Tensor& tensor);

}  // namespace opass::passes
