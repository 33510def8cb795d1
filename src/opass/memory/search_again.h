#pragma once

#include <cstddef>
#include <cstdint>

#include "opass/memory/check_least_live.h"

namespace opass::memory::check {

struct SearchLimits {
  // States are numbered in 32 bits; more than this is never asked for.
  static constexpr std::uint64_t kMostStates = 4'000'000'000;

  std::uint64_t max_states = 20'000'000;
  std::size_t max_bytes = std::size_t{1} << 30;
};

struct SearchedAgain {
  enum class Answer {
    kNoOrder,   // none keeps the budget: all states that can be reached within it were visited
    kOrder,     // one does
    kTooLarge,  // unknown: out of states or bytes, or interrupted
  };
  Answer answer = Answer::kTooLarge;
  std::uint64_t states = 0;
};

// Is there an order of the part whose steps need at most the budget? Visits all states that steps
// within the budget reach, each once, and nothing cleverer: no step is taken because it is free,
// none left out. Shares no code with the search whose word it checks.
SearchedAgain SearchAgain(const Recount& recount, const Between& part, std::int64_t budget_bytes,
                          const SearchLimits& limits);

}  // namespace opass::memory::check
