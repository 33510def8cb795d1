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
  StateId from;
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

// Who ended the search before its budget or its actions were used up.
enum class StoppedBy { kNobody, kUser, kDeadline };

struct Found {
  StateId state;
  Cost start;  // of the input, at full effort
  Cost cost;   // of the result, at full effort
  std::vector<FoundStep> path;
  std::vector<Attempt> attempts;  // in the order in which they were first tried
  Counts counts;
  StoppedBy stopped_by = StoppedBy::kNobody;
};

// The answer of a search that has ended: the best state, less what did not pay, if somebody stopped
// it only the best state.
Result<Found> Conclude(Search& search, StoppedBy stopped_by);

}  // namespace opass::orchestrator
