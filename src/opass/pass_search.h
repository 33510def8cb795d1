#pragma once

#include <memory>
#include <vector>

#include "opass/opass.h"
#include "opass/orchestrator/native/native_domain.h"
#include "opass/orchestrator/search.h"

// The search over passes as a stage of the main job (docs/orchestration.md).
namespace opass::pass_search {

struct Searched {
  std::unique_ptr<orchestrator::NativeDomain> domain;
  orchestrator::StateId state;
  std::vector<orchestrator::NativeStep> steps;  // from the start to `state`
  reports::SearchReport report;                 // of these steps
};

// What the options of the main job mean to the search.
orchestrator::NativeOptions NativeOptionsOf(const Options& options,
                                            const planner::PlanOptions& plan);
orchestrator::SearchOptions SearchOptionsOf(const Options& options, std::int64_t start_macs);

// `model` is cleaned up. The strategy must be known. Interrupted() ends the search with the best so
// far,
// and is taken: what comes after the search goes on.
Result<Searched> Search(const ir::Model& model, const Options& options,
                        const planner::PlanOptions& plan);

// Executes every step by itself and then the whole; what is wrong is taken off the result, and
// told in the report, whose steps are those that remain, with their own gains.
Status VerifyActions(Searched& searched, const Options& options);

// The result, its nodes in the order that the search found.
Result<ir::Model> ModelOf(Searched& searched);

}  // namespace opass::pass_search
