#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "opass/orchestrator/search.h"

namespace opass::orchestrator {

std::string_view Name(Outcome outcome);  // "not better", ...

// An action of the result.
struct FoundStep {
  std::string name;
  std::string pass;
  std::size_t action = 0;  // in the list of the state before
  StateId to;
  std::optional<Cost> cost;          // after it; not known where the search passed through
  std::vector<std::string> enabled;  // passes that have actions after it which they had not before
};

// What was tried of one name, in whatever states.
struct Attempt {
  std::string name;
  std::string pass;
  std::int64_t num_trials = 0;
  Outcome outcome = Outcome::kNoChange;      // the best of them
  std::optional<std::int64_t> gained_bytes;  // of the peak, the most
  bool is_in_result = false;
};

struct Found {
  StateId state;
  Cost start;  // of the input, at full effort
  Cost cost;   // of the result, at full effort
  std::vector<FoundStep> path;
  std::vector<Attempt> attempts;  // in the order in which they were first tried
  Counts counts;
};

// The answer of a search that has ended: the best state, less what did not pay.
Result<Found> Conclude(Search& search);

}  // namespace opass::orchestrator
