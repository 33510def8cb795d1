#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "opass/planner/planner.h"
#include "opass/support/result.h"
#include "opass/tvm/difference.h"
#include "opass/tvm/plan_module.h"
#include "opass/tvm/search_passes.h"
#include "opass/tvm/session.h"

namespace opass::tvm {

// A module compiled by TVM's default pipeline, with TVM's memory plan and with ours, and run.
struct Finalist {
  StockCompiled stock;
  std::int64_t stock_live_bytes = 0;
  RunReport stock_run;
  PlannedModule planned;
  RunReport run;
  // Of the outputs with our plan to those of the model without passes.
  Difference difference;
};

// Confirms by lowering, compiling and running what a search found on Relax graphs. Every module
// once.
class Finalists {
 public:
  // `session` must outlive it.
  Finalists(Session& session, const planner::PlanOptions& plan, const RunOptions& run)
      : session_(session), plan_(plan), run_(run) {}

  // The model without passes: what others are compared with. Error (kRefused): with our plan a
  // kernel writes elsewhere than planned, or the outputs are not those of TVM's plan.
  Result<const Finalist*> Start(ModuleId start);

  struct Chosen {
    const Finalist* finalist = nullptr;
    const Candidate* candidate = nullptr;
    std::vector<std::string> rejected;  // why those before it do not count
  };
  // After Start: the first of the candidates that needs no more than the start, neither planned nor
  // hidden in kernels, and whose outputs are within rounding of the start's. The last candidate
  // must be as good as the start: Error (kNotPossible) when none is.
  Result<Chosen> Choose(std::span<const Candidate> candidates);

 private:
  Result<const Finalist*> Confirm(ModuleId module);
  std::optional<std::string> WhyNot(const Finalist& finalist) const;

  Session& session_;
  planner::PlanOptions plan_;
  RunOptions run_;
  std::map<std::uint64_t, Finalist> by_hash_;
  const Finalist* start_ = nullptr;
};

}  // namespace opass::tvm
