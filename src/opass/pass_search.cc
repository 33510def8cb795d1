#include "opass/pass_search.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "opass/orchestrator/native/verify_path.h"
#include "opass/orchestrator/strategies/strategy.h"
#include "opass/support/bytes.h"

namespace opass::pass_search {
namespace {

// Fusions wait for later operator sets than many files have: HardSwish for 14, Gelu for 20. Later
// ones are new enough for runtimes to refuse them, and are used where the user asks for them.
constexpr std::int64_t kMaxOpset = 20;
// Far beyond all models, and within int64.
constexpr double kMaxMacs = 1e18;

reports::SearchReport ReportOf(const orchestrator::Found& found) {
  reports::SearchReport report;
  report.evaluations = found.counts.evaluations;
  report.full_schedules = found.counts.full_schedules;
  report.beyond_bound = found.counts.beyond_bound;
  report.too_many_macs = found.counts.too_many_macs;
  report.repeats = found.counts.repeats;
  report.no_changes = found.counts.no_changes;
  report.before_peak_bytes = found.start.peak_bytes;
  report.after_peak_bytes = found.cost.peak_bytes;
  report.extra_macs = found.cost.extra_macs;
  std::optional<std::int64_t> before = found.start.peak_bytes;
  for (const orchestrator::FoundStep& step : found.path) {
    reports::SearchReport::Step shown{step.name, {}, step.enabled};
    if (before && step.cost) shown.gained_bytes = *before - step.cost->peak_bytes;
    before = step.cost ? std::optional(step.cost->peak_bytes) : std::nullopt;
    report.steps.push_back(std::move(shown));
  }
  for (const orchestrator::Attempt& attempt : found.attempts) {
    if (attempt.is_in_result) continue;
    report.rejected.push_back({attempt.name, attempt.num_trials,
                               std::string(orchestrator::Name(attempt.outcome)),
                               attempt.gained_bytes});
  }
  return report;
}

}  // namespace

orchestrator::NativeOptions NativeOptionsOf(const Options& options,
                                            const planner::PlanOptions& plan) {
  orchestrator::NativeOptions native;
  native.actions.disabled = options.disabled_passes;
  // A version that the user asks for is the one that the model has by now.
  native.actions.max_opset = options.opset == 0 ? kMaxOpset : 0;
  native.pose = PoseOptionsOf(options);
  native.plan = plan;
  return native;
}

orchestrator::SearchOptions SearchOptionsOf(const Options& options, std::int64_t start_macs) {
  orchestrator::SearchOptions search;
  search.max_evaluations = options.search.evaluations;
  search.seed = options.seed;
  const double extra = options.search.max_macs_overhead * static_cast<double>(start_macs);
  search.max_extra_macs = static_cast<std::int64_t>(std::min(extra, kMaxMacs));
  if (options.on_stage) {
    search.on_evaluation = [&options](std::int64_t evaluations, const orchestrator::Cost& best) {
      options.on_stage(fmt::format("search: {} of {} graphs, {}", evaluations,
                                   options.search.evaluations, FormatBytes(best.peak_bytes)));
    };
  }
  return search;
}

Result<Searched> Search(const ir::Model& model, const Options& options,
                        const planner::PlanOptions& plan) {
  OPASS_ASSIGN_OR_RETURN(std::unique_ptr<orchestrator::NativeDomain> domain,
                         orchestrator::NativeDomain::Make(model, NativeOptionsOf(options, plan)));
  const orchestrator::SearchOptions search = SearchOptionsOf(options, domain->start_macs());
  const orchestrator::Strategy* strategy = orchestrator::FindStrategy(options.search.strategy);
  OPASS_ASSIGN_OR_RETURN(const orchestrator::Found found,
                         orchestrator::Orchestrate(*domain, *strategy, search));
  Searched searched;
  searched.report = ReportOf(found);
  searched.report.strategy = options.search.strategy;
  searched.report.max_extra_macs = *search.max_extra_macs;
  searched.report.failures = domain->failures();
  searched.state = found.state;
  searched.domain = std::move(domain);
  return searched;
}

Status VerifyActions(Searched& searched, const Options& options) {
  orchestrator::VerifyPathOptions verify;
  verify.inputs = options.test_inputs;
  verify.num_runs = options.num_runs;
  verify.threads = options.threads;
  verify.reproducer_folder = options.search.reproducer_folder;
  OPASS_ASSIGN_OR_RETURN(const orchestrator::PathVerdict verdict,
                         orchestrator::VerifyPath(*searched.domain, searched.state, verify));
  reports::SearchReport& report = searched.report;
  for (const orchestrator::ActionVerdict& removed : verdict.removed) {
    report.failures.push_back(fmt::format("{}: {}", removed.name, removed.verdict.message));
    for (const std::string& file : removed.reproducers) {
      report.failures.push_back(fmt::format("{}: see {}", removed.name, file));
    }
  }
  if (verdict.removed.empty()) return {};
  searched.state = verdict.state;
  report.steps.clear();
  for (const orchestrator::ActionVerdict& action : verdict.actions) {
    report.steps.push_back({action.name, {}, {}});
  }
  OPASS_ASSIGN_OR_RETURN(const orchestrator::Cost cost,
                         searched.domain->Evaluate(searched.state, orchestrator::Effort::kFull));
  report.after_peak_bytes = cost.peak_bytes;
  report.extra_macs = cost.extra_macs;
  return {};
}

Result<ir::Model> ModelOf(Searched& searched) { return searched.domain->Scheduled(searched.state); }

}  // namespace opass::pass_search
