#include "opass/bench/search_case.h"

#include <fmt/format.h>

#include <chrono>
#include <limits>
#include <memory>
#include <utility>

#include "opass/frontends/onnx/import.h"
#include "opass/orchestrator/native/native_domain.h"
#include "opass/orchestrator/strategies/strategy.h"
#include "opass/pass_search.h"
#include "opass/passes/runner.h"
#include "opass/planner/planner.h"

namespace opass::bench {
namespace {

// As `opass optimize` counts.
Result<std::int64_t> ArenaOf(const ir::Model& model) {
  const Options options;
  OPASS_ASSIGN_OR_RETURN(const analysis::PosedProblem posed,
                         analysis::PoseProblem(model, PoseOptionsOf(options)));
  OPASS_ASSIGN_OR_RETURN(const planner::PlanResult result, planner::MakePlan(posed.problem, {}));
  return result.plan.arena_bytes;
}

}  // namespace

Result<SearchCase> ReadSearchCase(const ModelFile& file) {
  SearchCase read;
  read.name = file.name;
  OPASS_ASSIGN_OR_RETURN(read.model, frontends::ImportOnnx(file.path.string(), file.bindings));
  OPASS_ASSIGN_OR_RETURN(const auto reports,
                         passes::RunPasses(read.model, passes::CleanUpPasses(), {}));
  return read;
}

Result<SearchRun> RunSearch(const SearchCase& from, const SearchSetting& setting) {
  const auto start = std::chrono::steady_clock::now();
  orchestrator::NativeOptions native = pass_search::NativeOptionsOf({}, {});
  native.actions.macros = setting.macros;
  OPASS_ASSIGN_OR_RETURN(const std::unique_ptr<orchestrator::NativeDomain> domain,
                         orchestrator::NativeDomain::Make(from.model, std::move(native)));
  Options options;
  options.search.evaluations = setting.evaluations;
  options.seed = setting.seed;
  orchestrator::SearchOptions search = pass_search::SearchOptionsOf(options, domain->start_macs());
  search.implicit_effects = setting.implicit_effects;
  search.norm = setting.norm;
  search.staging = setting.staging;
  SearchRun run;
  std::int64_t best = std::numeric_limits<std::int64_t>::max();
  search.on_evaluation = [&](std::int64_t evaluations, const orchestrator::Cost& cost) {
    if (cost.peak_bytes >= best) return;
    best = cost.peak_bytes;
    run.best_at = evaluations;
  };
  const orchestrator::Strategy* strategy = orchestrator::FindStrategy(setting.strategy);
  OPASS_ASSIGN_OR_RETURN(run.found, orchestrator::Orchestrate(*domain, *strategy, search));
  run.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  OPASS_ASSIGN_OR_RETURN(const ir::Model scheduled, domain->Scheduled(run.found.state));
  OPASS_ASSIGN_OR_RETURN(run.arena_bytes, ArenaOf(scheduled));
  return run;
}

std::string Kib(std::int64_t bytes) {
  return fmt::format("{:.1f}", static_cast<double>(bytes) / 1024);
}

}  // namespace opass::bench
