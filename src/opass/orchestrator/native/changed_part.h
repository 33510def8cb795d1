#pragma once

#include <optional>

#include "opass/ir/graph.h"

namespace opass::orchestrator {

// What one rewrite did, cut out of both graphs: the same inputs and outputs under the same names,
// so that one can be executed against the other.
struct ChangedPart {
  ir::Model before;
  ir::Model after;
};

// The nodes that `after`, rewritten from `before`, has otherwise, and those that stand between
// them. Nothing when no result of them is in both graphs (or nothing changed). Values of one name
// must have one meaning (passes::Pass::apply).
std::optional<ChangedPart> FindChangedPart(const ir::Model& before, const ir::Model& after);

}  // namespace opass::orchestrator
