// The passes in a fixed order, each once and as far as it goes, as compilers run them; looks at the
// memory at the end alone. The input is kept if it is no worse.
#include "opass/orchestrator/strategies/strategy.h"
#include "opass/orchestrator/strategies/walks.h"

namespace opass::orchestrator {
namespace {

Status Run(Search& search) {
  WalkEnd end{kStart, {}};
  for (const std::string& pass : search.domain().DefaultOrder()) {
    OPASS_ASSIGN_OR_RETURN(const WalkEnd next, WalkPass(search, end.state, pass));
    if (next.last) end = next;
  }
  return EvaluateEnd(search, end);
}

}  // namespace

extern const Strategy strategy_default;
const Strategy strategy_default = {
    .name = "default",
    .summary = "the passes in a fixed order, as compilers run them",
    .run = Run,
};

}  // namespace opass::orchestrator
