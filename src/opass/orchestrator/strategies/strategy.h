#pragma once

#include <span>
#include <string_view>

#include "opass/orchestrator/found.h"
#include "opass/orchestrator/search.h"
#include "opass/support/result.h"

// Strategies choose what to try next. One a file: a file of this folder registers by its name
// (registry.cc). All pay for evaluations alike, and what did not pay is undone for all alike.
namespace opass::orchestrator {

struct Strategy {
  std::string_view name;
  std::string_view summary;  // one line
  // The start is evaluated. Tries actions until search.Done() or until it has no more to try; the
  // search keeps the best.
  Status (*run)(Search& search);
};

// All strategies, by name.
std::span<const Strategy> Strategies();
// Null when there is none of that name.
const Strategy* FindStrategy(std::string_view name);

// The best sequence of actions that the strategy finds. Never more evaluations than allowed (the
// start's aside), and the same answer for the same seed. Interrupted() ends it: the best so far, or
// with SearchOptions::take_interrupt unset perhaps an Error when it is the user who interrupts.
Result<Found> Orchestrate(PassDomain& domain, const Strategy& strategy,
                          const SearchOptions& options);

}  // namespace opass::orchestrator
