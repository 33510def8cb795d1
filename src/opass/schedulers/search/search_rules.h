#pragma once

#include <cstdint>
#include <string_view>
#include <utility>

namespace opass::schedulers {

// The rules of the exact search, each of which may be left out: the answer stays right, only the
// time changes. The numbers are those of the design "scheduling", 1.3, where the proofs are.
struct SearchRules {
  bool closure = true;        // R1: a step that frees bytes within the budget is taken at once
  bool commit = true;         // R2: a step whose own closure frees bytes has no alternative
  bool chains = true;         // R2 over several steps, each opened by the one before
  bool memo = true;           // sets of operators that failed once are not searched again
  bool reverse = true;        // the search also runs from the last step to the first
  bool split = true;          // R3': solve the parts before and after a certified set apart
  bool implied_edges = true;  // R5: precedences that every order within the budget respects
  bool destructive = true;    // budgets far below the best order are tried too, by small searches
  bool components = true;     // independent operators are ordered apart and their orders merged
  bool twins = true;          // of operators that could change places only one order is searched

  // Implied precedences cost a cut or more for every operator; most searches end before.
  std::uint64_t nodes_before_implied = 100'000;
};

inline constexpr std::pair<std::string_view, bool SearchRules::*> kSearchRules[] = {
    {"closure", &SearchRules::closure},
    {"commit", &SearchRules::commit},
    {"chains", &SearchRules::chains},
    {"memo", &SearchRules::memo},
    {"reverse", &SearchRules::reverse},
    {"split", &SearchRules::split},
    {"implied_edges", &SearchRules::implied_edges},
    {"destructive", &SearchRules::destructive},
    {"components", &SearchRules::components},
    {"twins", &SearchRules::twins}};

}  // namespace opass::schedulers
