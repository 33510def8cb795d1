#pragma once

#include <map>
#include <string>
#include <vector>

#include "opass/bench/rebench_expected.h"
#include "opass/ir/graph.h"
#include "opass/support/result.h"

namespace opass::bench {

// The tensor that TVM was given: SplitMix64 of seed and place, mapped to the type's range. Null for
// a type that the graphs do not have.
ir::TensorPtr MakeExpectedInput(const ExpectedInput& input, const ir::Type& type);

// All inputs of the graph, by name. Error: an input that nothing is known of, or one whose first
// elements are not those that TVM had.
Result<std::map<std::string, ir::TensorPtr>> MakeExpectedInputs(
    const ir::Graph& graph, const std::vector<ExpectedInput>& inputs);

}  // namespace opass::bench
