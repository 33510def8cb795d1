#include "opass/cli/problem_outcome.h"

#include <fmt/format.h>

#include <chrono>

#include "opass/memory/apply_sharing.h"
#include "opass/memory/buffers.h"
#include "opass/memory/problem_json.h"
#include "opass/reports/bound_reason.h"
#include "opass/schedule.h"
#include "opass/support/file.h"
#include "opass/support/interrupt.h"

namespace opass::cli {
namespace {

// Of the seconds that the user allows, what the figures of the file order may take.
constexpr double kShareOfFileOrder = 0.1;

using Clock = std::chrono::steady_clock;

double Seconds(Clock::time_point from, Clock::time_point to) {
  return std::chrono::duration<double>(to - from).count();
}

reports::Figures FiguresOf(const memory::Problem& problem, const memory::Plan& plan) {
  reports::Figures figures;
  figures.num_ops = static_cast<std::int64_t>(problem.ops.size());
  figures.sum_bytes = plan.sum_bytes;
  figures.file_order_peak_bytes = plan.file_order_peak_bytes;
  figures.peak_bytes = plan.peak_bytes;
  figures.arena_bytes = plan.arena_bytes;
  figures.lower_bound_bytes = plan.lower_bound_bytes;
  return figures;
}

void FillReport(const ScheduleResult& result, Outcome& outcome) {
  reports::Report& report = outcome.report;
  const memory::Problem& problem = outcome.posed.problem;
  report.target = outcome.plan.target;
  report.alignment = outcome.plan.alignment;
  report.scheduler = result.scheduler;
  report.allocator = result.allocator;
  report.deterministic = outcome.plan.deterministic;
  report.proven_optimal = outcome.plan.proven_optimal;
  report.before = FiguresOf(problem, outcome.before_plan);
  report.after = FiguresOf(problem, outcome.plan);
  report.lower_bound_reason = reports::BoundReason(outcome.plan.certificate, [&](memory::OpId op) {
    return fmt::format("operator '{}'", problem.op(op).name);
  });
  report.verification.reason = "no-model";
  report.verification.message = "a problem has no operators that could be executed";
}

}  // namespace

bool IsProblemFile(const std::string& path) { return path.ends_with(".json"); }

Status CheckProblemOptions(const PlanCommand& command) {
  const Options& options = command.model.options;
  const std::pair<bool, const char*> kOfModels[] = {
      {!command.output.empty(), "-o"},
      {!options.bindings.shapes.empty(), "--shape"},
      {!options.bindings.dims.empty(), "--dim"},
      {options.alignment != 0, "--alignment"},
      {options.preserve_inputs, "--preserve-inputs"},
      {options.exclude_io, "--exclude-io"},
      {options.inputs != memory::InputArrival::kResident, "--inputs"},
      {options.opset != 0, "--opset"},
      {command.require_verified, "--require-verified"},
      {!command.model.input_files.empty(), "--input"},
      {!command.model.input_ranges.empty(), "--input-range"}};
  for (const auto& [is_given, name] : kOfModels) {
    if (is_given) {
      return InvalidInput("a problem is not a model, so this option says nothing", name,
                          "the problem file itself holds its alignment and its conventions; "
                          "--plan FILE writes the plan");
    }
  }
  return {};
}

Result<Outcome> PlanProblem(const std::string& path, const Options& options) {
  const auto start = Clock::now();
  if (options.on_stage) options.on_stage(path + ": import");
  Outcome outcome;
  outcome.report.model = path;
  OPASS_ASSIGN_OR_RETURN(const std::string text, ReadFile(path));
  OPASS_ASSIGN_OR_RETURN(outcome.posed.problem, memory::ParseProblem(text, path));
  outcome.before_posed.problem = outcome.posed.problem;
  ScheduleOptions schedule;
  schedule.target = options.target;
  schedule.sharing = options.sharing;
  schedule.allocator = options.allocator;
  schedule.seed = options.seed;
  schedule.threads = options.threads;
  if (options.on_stage) {
    schedule.on_progress = [&](const planner::PlanProgress& progress) {
      options.on_stage(fmt::format("{}: plan: {}", path, planner::ProgressText(progress)));
    };
  }
  const auto read = Clock::now();
  const Deadline deadline(options.time_limit_seconds);
  schedule.scheduler = "file_order";
  schedule.time_limit_seconds = kShareOfFileOrder * options.time_limit_seconds;
  OPASS_ASSIGN_OR_RETURN(ScheduleResult before, Schedule(outcome.posed.problem, schedule));
  schedule.scheduler = options.scheduler;
  schedule.time_limit_seconds = 0;
  OPASS_ASSIGN_OR_RETURN(ScheduleResult result, Schedule(outcome.posed.problem, schedule));
  outcome.report.stopped_by_time = !result.plan.deterministic || !before.plan.deterministic;
  outcome.before = std::move(before.schedule);
  outcome.before_plan = std::move(before.plan);
  outcome.plan = std::move(result.plan);
  outcome.schedule = std::move(result.schedule);
  FillReport(result, outcome);
  const auto end = Clock::now();
  outcome.report.seconds = {{"import", Seconds(start, read)},
                            {"plan", Seconds(read, end)},
                            {"total", Seconds(start, end)}};
  return outcome;
}

}  // namespace opass::cli
