#pragma once

#include <cstdint>
#include <vector>

#include "opass/ir/graph.h"
#include "opass/passes/constants.h"

// Which nodes fold_constants folds together, and what storing their results costs.
namespace opass::passes {

// Splits `nodes` into groups that share values, each in the order given.
std::vector<std::vector<ir::NodeId>> GroupByValues(const ir::Graph& graph,
                                                   const std::vector<ir::NodeId>& nodes);

struct FoldEffect {
  std::vector<ir::ValueId> results;  // what the rest of the graph reads of the group
  std::int64_t growth_bytes = 0;     // of the stored constants; negative when they shrink
};

// `readers`: of every value (Graph::Readers); `is_output`: which values are graph outputs.
FoldEffect EffectOf(const ir::Graph& graph, const std::vector<ir::NodeId>& group,
                    const std::vector<std::vector<ir::NodeId>>& readers,
                    const std::vector<bool>& is_output);

}  // namespace opass::passes
