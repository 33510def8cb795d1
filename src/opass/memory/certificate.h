#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "opass/memory/problem.h"

namespace opass::memory {

// Why no order can need less than `bytes`.
struct Certificate {
  enum class Kind {
    kNone,         // no bound was computed (bytes = 0)
    kResident,     // the bytes live before the first or after the last step
    kOperator,     // what `op` needs by itself: inputs, outputs, workspace, less what it shares
    kOperatorCut,  // the cheapest state in which `op` can run (a minimum cut)
    kSearch,       // an exhausted search found no order that needs less
  };

  // What was searched, enough to run it again: a statement, not a proof that can be checked faster
  // than by searching.
  struct Search {
    std::int64_t budget_bytes = 0;  // no order within it was found
    bool reverse = false;           // from the last step to the first
    std::int64_t nodes = 0;         // states branched at
    // Precedences that every order within the budget respects, by cuts; 0 when not needed.
    std::int64_t implied_edges = 0;
    std::vector<std::string> rules;  // that were in force

    friend bool operator==(const Search&, const Search&) = default;
  };

  Kind kind = Kind::kNone;
  std::int64_t bytes = 0;
  OpId op;  // the operator that needs them
  // kOperatorCut: the operators executed before `op` in the cheapest state (the source side).
  // kSearch: those executed before the part that was searched.
  std::vector<OpId> executed;
  // Sets of executed operators that some best order passes through, each shown in the part that the
  // sets before it leave; the bound is one of the last such part. Empty: of the whole problem.
  std::vector<std::vector<OpId>> splits = {};
  Search search = {};  // kSearch
};

// Whether memory::Check proves the bound again. It follows the splits of a search, and takes on
// trust that the search found nothing.
inline bool IsCheckable(const Certificate& certificate) {
  return certificate.kind != Certificate::Kind::kSearch;
}

}  // namespace opass::memory
