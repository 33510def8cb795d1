#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "opass/planner/planner.h"
#include "opass/support/result.h"
#include "opass/tvm/session.h"
#include "opass/tvm/step_memo.h"

namespace opass::tvm {

struct SearchRequest {
  std::string strategy = "opass";  // one of orchestrator::Strategies()
  std::int64_t evaluations = 30;   // modules that are scheduled
  std::uint64_t seed = 0;
  bool allow_imprecise = false;  // as in DomainOptions
};

// A module and the passes that led to it.
struct Candidate {
  ModuleId module;
  std::vector<std::string> passes;
};

struct SearchedPasses {
  // The best first, then what its path passed through, the start at the end: should a module turn
  // out worse once it is lowered, the next one counts.
  std::vector<Candidate> candidates;
  std::int64_t evaluations = 0;
  std::vector<std::string> failures;  // of passes
};

// The module that a search starts from: operators on weights alone, which would be compiled and run
// again in every step, are folded.
Result<ModuleId> SearchStart(Session& session, ModuleId imported);

// Searches over TVM's passes from the module on. Errors: an unknown strategy (kInvalidInput), a
// module that cannot be posed.
Result<SearchedPasses> SearchPasses(Session& session, ModuleId start, StepMemo& memo,
                                    const SearchRequest& request, const planner::PlanOptions& plan);

}  // namespace opass::tvm
