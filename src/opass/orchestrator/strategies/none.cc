// Tries nothing: what the schedule alone reaches.
#include "opass/orchestrator/strategies/strategy.h"

namespace opass::orchestrator {

extern const Strategy strategy_none;
const Strategy strategy_none = {
    .name = "none",
    .summary = "no action at all",
    .run = [](Search&) { return Status(); },
};

}  // namespace opass::orchestrator
