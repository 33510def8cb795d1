#pragma once

#include "opass/ir/graph.h"

namespace opass::passes {

// Operators that compute every element of their only result from the elements at the same place, by
// kernels that treat all places alike: ONNX Runtime's give the same bits for an element wherever it
// stands in a tensor of whatever size (elementwise_test.cc). That leaves out Log, Sin and others,
// whose kernels round the last elements of an array differently.
//
// Unary: of the first input alone; more inputs (the limits of a Clip) are scalars.
bool IsUnaryElementwise(const ir::Node& node);
// Of two inputs that broadcast.
bool IsBinaryElementwise(const ir::Node& node);

}  // namespace opass::passes
