#include <algorithm>
#include <array>

#include "opass/orchestrator/strategies/strategy.h"
#include "opass/support/interrupt.h"

namespace opass::orchestrator {

// A strategy's file may be named by a keyword (default.cc).
#define X(name) extern const Strategy strategy_##name;
#include "strategies_list.inc"
#undef X

std::span<const Strategy> Strategies() {
  // Made at the first call: the entries are constants of other files.
#define X(name) strategy_##name,
  static const auto kStrategies = std::to_array<Strategy>({
#include "strategies_list.inc"
  });
#undef X
  return kStrategies;
}

const Strategy* FindStrategy(std::string_view name) {
  const std::span<const Strategy> all = Strategies();
  const auto found =
      std::ranges::find_if(all, [&](const Strategy& strategy) { return strategy.name == name; });
  return found == all.end() ? nullptr : &*found;
}

Result<Found> Orchestrate(PassDomain& domain, const Strategy& strategy,
                          const SearchOptions& options) {
  Search search(domain, options);
  OPASS_RETURN_IF_ERROR(search.Begin());
  const Status run = strategy.run(search);
  StoppedBy stopped_by = StoppedBy::kNobody;
  if (InterruptedByUser()) {
    stopped_by = StoppedBy::kUser;
  } else if (Interrupted()) {
    stopped_by = StoppedBy::kDeadline;
  }
  // A pass that was interrupted ends the search as well, with what there is.
  const bool is_interrupted =
      stopped_by == StoppedBy::kUser && !run.ok() && run.error().code == ErrorCode::kInterrupted;
  if (!is_interrupted) OPASS_RETURN_IF_ERROR(run);
  if (options.take_interrupt) TakeInterrupt();
  return Conclude(search, stopped_by);
}

}  // namespace opass::orchestrator
