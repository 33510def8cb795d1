#pragma once

#include <optional>
#include <string>

#include "opass/orchestrator/search.h"

namespace opass::orchestrator {

// A way from a state, without evaluations: where it ends, and its last step (none: nothing
// changed).
struct WalkEnd {
  StateId state;
  std::optional<Trial> last;
};

// All that the pass can do: its actions in the order of the list, the first that changes something,
// again and again until there is none. Never comes back to a state it left.
Result<WalkEnd> WalkPass(Search& search, StateId from, const std::string& pass);

// Evaluates where the walk ended.
Status EvaluateEnd(Search& search, const WalkEnd& end);

}  // namespace opass::orchestrator
