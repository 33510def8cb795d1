#include "opass/pass_search.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "opass/orchestrator/native/verify_path.h"
#include "opass/orchestrator/strategies/strategy.h"
#include "opass/support/bytes.h"

namespace opass::pass_search {
namespace {

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
  for (const orchestrator::Attempt& attempt : found.attempts) {
    if (attempt.is_in_result) continue;
    report.rejected.push_back({attempt.name, attempt.num_trials,
                               std::string(orchestrator::Name(attempt.outcome)),
                               attempt.gained_bytes});
  }
  if (found.stopped_by == orchestrator::StoppedBy::kUser) report.stopped_by = "user";
  if (found.stopped_by == orchestrator::StoppedBy::kDeadline) report.stopped_by = "time";
  return report;
}

template <typename List, typename Value, typename Projection>
bool Holds(const List& list, const Value& value, Projection projection) {
  return std::ranges::find(list, value, projection) != list.end();
}

// Passes that have kinds of actions after the step which they had not before it.
Result<std::vector<std::string>> EnabledBy(orchestrator::NativeDomain& domain,
                                           const orchestrator::NativeStep& step) {
  OPASS_ASSIGN_OR_RETURN(const std::vector<orchestrator::Action> before, domain.Propose(step.from));
  OPASS_ASSIGN_OR_RETURN(const std::vector<orchestrator::Action> after, domain.Propose(step.to));
  std::vector<std::string> passes;
  for (const orchestrator::Action& action : after) {
    if (Holds(before, action.kind, &orchestrator::Action::kind)) continue;
    if (!Holds(passes, action.pass, std::identity())) passes.push_back(action.pass);
  }
  return passes;
}

// What each step saves: by quick schedules, the last one as the result is scheduled.
Status TellSteps(Searched& searched) {
  using orchestrator::Effort;
  orchestrator::NativeDomain& domain = *searched.domain;
  reports::SearchReport& report = searched.report;
  report.steps.clear();
  std::int64_t before = report.before_peak_bytes;
  for (const orchestrator::NativeStep& step : searched.steps) {
    const Effort effort = step.to == searched.state ? Effort::kFull : Effort::kQuick;
    OPASS_ASSIGN_OR_RETURN(const orchestrator::Cost cost, domain.Evaluate(step.to, effort));
    OPASS_ASSIGN_OR_RETURN(std::vector<std::string> enabled, EnabledBy(domain, step));
    report.steps.push_back({step.what.shown.name, before - cost.peak_bytes, std::move(enabled)});
    before = cost.peak_bytes;
  }
  OPASS_ASSIGN_OR_RETURN(const orchestrator::Cost cost,
                         domain.Evaluate(searched.state, Effort::kFull));
  report.after_peak_bytes = cost.peak_bytes;
  report.extra_macs = cost.extra_macs;
  return {};
}

}  // namespace

orchestrator::NativeOptions NativeOptionsOf(const Options& options,
                                            const planner::PlanOptions& plan) {
  orchestrator::NativeOptions native;
  native.actions.disabled = options.disabled_passes;
  // A version that the user asks for is the one that the model has by now.
  native.actions.max_opset = options.opset == 0 ? options.search.max_opset : 0;
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
  orchestrator::SearchOptions search = SearchOptionsOf(options, domain->start_macs());
  search.take_interrupt = true;
  const orchestrator::Strategy* strategy = orchestrator::FindStrategy(options.search.strategy);
  OPASS_ASSIGN_OR_RETURN(const orchestrator::Found found,
                         orchestrator::Orchestrate(*domain, *strategy, search));
  Searched searched;
  searched.report = ReportOf(found);
  searched.report.strategy = options.search.strategy;
  searched.report.max_extra_macs = *search.max_extra_macs;
  searched.report.failures = domain->failures();
  searched.state = found.state;
  for (const orchestrator::FoundStep& step : found.path) {
    OPASS_ASSIGN_OR_RETURN(orchestrator::NativeStep taken, domain->StepOf(step.from, step.action));
    searched.steps.push_back(std::move(taken));
  }
  searched.domain = std::move(domain);
  OPASS_RETURN_IF_ERROR(TellSteps(searched));
  return searched;
}

Status VerifyActions(Searched& searched, const Options& options) {
  orchestrator::VerifyPathOptions verify;
  verify.inputs = options.test_inputs;
  verify.num_runs = options.num_runs;
  verify.threads = options.threads;
  verify.reproducer_folder = options.search.reproducer_folder;
  OPASS_ASSIGN_OR_RETURN(orchestrator::PathVerdict verdict,
                         orchestrator::VerifyPath(*searched.domain, searched.steps, verify));
  reports::SearchReport& report = searched.report;
  for (orchestrator::ActionVerdict& removed : verdict.removed) {
    report.removed.push_back({std::move(removed.name), std::move(removed.verdict.message),
                              std::move(removed.reproducers)});
  }
  for (const orchestrator::ActionVerdict& action : verdict.actions) {
    for (const runtime::Flips& flips : action.verdict.flips) {
      report.notes.push_back(fmt::format("{}: rounding flipped {} of {} elements of '{}'",
                                         action.name, flips.num_different, flips.num_elements,
                                         flips.value));
    }
  }
  if (verdict.removed.empty()) return {};
  searched.state = verdict.state;
  searched.steps = std::move(verdict.steps);
  return TellSteps(searched);
}

Result<ir::Model> ModelOf(Searched& searched) { return searched.domain->Scheduled(searched.state); }

}  // namespace opass::pass_search
