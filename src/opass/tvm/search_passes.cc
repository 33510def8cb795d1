#include "opass/tvm/search_passes.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "opass/orchestrator/strategies/strategy.h"
#include "opass/tvm/tvm_domain.h"

namespace opass::tvm {

Result<ModuleId> SearchStart(Session& session, ModuleId imported) {
  OPASS_ASSIGN_OR_RETURN(const PassResult folded, session.RunPass(imported, "FoldConstant"));
  return folded.module.valid() ? folded.module : imported;
}

Result<SearchedPasses> SearchPasses(Session& session, ModuleId start, StepMemo& memo,
                                    const SearchRequest& request,
                                    const planner::PlanOptions& plan) {
  const orchestrator::Strategy* strategy = orchestrator::FindStrategy(request.strategy);
  if (strategy == nullptr) {
    return InvalidInput(fmt::format("there is no strategy '{}'", request.strategy), "",
                        "see 'opass list strategies'");
  }
  DomainOptions options;
  options.plan = plan;
  options.allow_imprecise = request.allow_imprecise;
  OPASS_ASSIGN_OR_RETURN(const std::unique_ptr<TvmDomain> domain,
                         TvmDomain::Make(session, start, memo, options));
  orchestrator::SearchOptions search;
  search.max_evaluations = request.evaluations;
  search.seed = request.seed;
  OPASS_ASSIGN_OR_RETURN(const orchestrator::Found found,
                         orchestrator::Orchestrate(*domain, *strategy, search));
  SearchedPasses searched;
  searched.candidates.push_back({start, {}});
  std::vector<std::string> passes;
  for (const orchestrator::FoundStep& step : found.path) {
    passes.push_back(step.name);
    searched.candidates.push_back({domain->ModuleOf(step.to), passes});
  }
  std::ranges::reverse(searched.candidates);
  searched.evaluations = found.counts.evaluations;
  searched.failures = domain->failures();
  return searched;
}

}  // namespace opass::tvm
