#include "opass/cli/plan_command.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>

#include "opass/cli/outcome_picture.h"
#include "opass/cli/problem_outcome.h"
#include "opass/cli/search_options.h"
#include "opass/emitters/c_header.h"
#include "opass/memory/buffers_csv.h"
#include "opass/memory/plan_json.h"
#include "opass/memory/problem_json.h"
#include "opass/onnx/write.h"
#include "opass/reports/claims.h"
#include "opass/reports/report.h"
#include "opass/support/bytes.h"
#include "opass/support/file.h"
#include "opass/support/interrupt.h"
#include "opass/support/progress.h"

namespace opass::cli {
namespace {

namespace fs = std::filesystem;

struct Emit {
  std::string kind;
  std::string path;
};

Result<std::vector<Emit>> ParseEmits(const std::vector<std::string>& texts) {
  std::vector<Emit> emits;
  for (const std::string& text : texts) {
    const std::size_t equals = text.find('=');
    Emit emit{text.substr(0, equals), equals == std::string::npos ? "" : text.substr(equals + 1)};
    const bool known = emit.kind == "c-header" || emit.kind == "csv" || emit.kind == "problem";
    if (!known || emit.path.empty()) {
      return InvalidInput(fmt::format("'{}' is not kind=FILE", text), "--emit",
                          "kinds: c-header, csv, problem");
    }
    emits.push_back(std::move(emit));
  }
  return emits;
}

std::string PlanPath(const PlanCommand& command) {
  if (!command.plan.empty() || command.output.empty()) return command.plan;
  fs::path path(command.output);
  if (path.extension() == ".onnx") path.replace_extension();
  return path.string() + ".plan.json";
}

// Nothing may be written over what was read, and no two outputs over each other.
Status CheckOutputs(const PlanCommand& command, const std::vector<Emit>& emits) {
  for (const std::string& folder :
       {command.dump_folder, command.model.options.search.reproducer_folder}) {
    std::error_code code;
    if (!folder.empty() && !fs::is_directory(folder, code)) {
      return InvalidInput("the folder does not exist", folder, "create it first");
    }
  }
  std::vector<std::string> inputs = {command.model.model};
  for (const auto& [name, file] : command.model.options.test_inputs.files) inputs.push_back(file);
  std::vector<std::string> outputs;
  if (!command.output.empty()) outputs.push_back(command.output);
  if (!PlanPath(command).empty()) outputs.push_back(PlanPath(command));
  if (!command.picture.empty()) outputs.push_back(command.picture);
  for (const Emit& emit : emits) outputs.push_back(emit.path);
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    if (outputs[i] == "-") {
      return InvalidInput("only the input can be a standard stream", "-", "name a file: ./- if so");
    }
    for (const std::string& input : inputs) {
      if (!command.force && IsSameFile(input, outputs[i])) {
        return InvalidInput("the output would replace an input", outputs[i], "--force does so");
      }
    }
    for (std::size_t j = 0; j < i; ++j) {
      if (fs::path(outputs[i]).lexically_normal() == fs::path(outputs[j]).lexically_normal()) {
        return InvalidInput("two outputs have the same path", outputs[i]);
      }
    }
    const fs::path folder = fs::path(outputs[i]).parent_path();
    std::error_code code;
    if (!folder.empty() && !fs::is_directory(folder, code)) {
      return InvalidInput("the folder does not exist", folder.string(), "create it first");
    }
  }
  return {};
}

onnxlib::ExternalPolicy PolicyOf(const std::string& name) {
  if (name == "copy") return onnxlib::ExternalPolicy::kCopy;
  if (name == "embed") return onnxlib::ExternalPolicy::kEmbed;
  return onnxlib::ExternalPolicy::kKeep;
}

Status WriteEmit(const Emit& emit, const Outcome& outcome) {
  const memory::Problem& problem = outcome.posed.problem;
  std::string text;
  if (emit.kind == "c-header") {
    text = emitters::CHeader(problem, outcome.plan, fs::path(outcome.report.model).stem().string());
  } else if (emit.kind == "csv") {
    text = memory::BuffersToCsv(problem, outcome.plan);
  } else {
    text = memory::ProblemToJson(problem);
  }
  return WriteFileAtomically(emit.path, text);
}

// The input's own weight files, which the output may still refer to, are inputs as well.
Status KeepWeightFiles(const PlanCommand& command, const std::vector<Emit>& emits,
                       const ir::Model& model) {
  std::vector<std::string> outputs = {command.output, PlanPath(command), command.picture};
  if (command.external == "copy") outputs.push_back(command.output + ".data");
  for (const Emit& emit : emits) outputs.push_back(emit.path);
  for (std::size_t i = 0; i < model.graph.num_values(); ++i) {
    const ir::TensorPtr& constant = model.graph.value(ir::ValueId(i)).constant;
    if (constant == nullptr || !constant->external) continue;
    const std::string file = (fs::path(model.folder) / constant->external->location).string();
    for (const std::string& output : outputs) {
      if (!output.empty() && IsSameFile(file, output)) {
        return InvalidInput("the output would replace weights of the input", output);
      }
    }
  }
  return {};
}

Status WriteOutputs(const PlanCommand& command, const std::vector<Emit>& emits, Outcome& outcome) {
  OPASS_RETURN_IF_ERROR(KeepWeightFiles(command, emits, outcome.original));
  reports::Report& report = outcome.report;
  if (!command.output.empty()) {
    OPASS_RETURN_IF_ERROR(onnxlib::WriteModelFile(outcome.model, command.output,
                                                  {PolicyOf(command.external)}, &report.warnings));
    report.output = command.output;
  }
  report.plan = PlanPath(command);
  if (!report.plan.empty()) {
    OPASS_RETURN_IF_ERROR(
        WriteFileAtomically(report.plan, memory::PlanToJson(outcome.posed.problem, outcome.plan)));
  }
  if (!command.picture.empty()) {
    OPASS_RETURN_IF_ERROR(WritePicture(OutcomePicture(outcome), command.picture));
  }
  for (const Emit& emit : emits) OPASS_RETURN_IF_ERROR(WriteEmit(emit, outcome));
  return {};
}

Status CheckBudget(const std::string& budget, const memory::Plan& plan) {
  if (budget.empty()) return {};
  OPASS_ASSIGN_OR_RETURN(const std::int64_t bytes, ParseBytes(budget));
  if (plan.arena_bytes <= bytes) return {};
  return WithReason(
      NotPossible(fmt::format("the arena needs {} bytes, {} more than the budget of {}",
                              plan.arena_bytes, plan.arena_bytes - bytes, bytes),
                  "--budget",
                  plan.lower_bound_bytes > bytes
                      ? fmt::format("no order of this graph can need less than {} bytes",
                                    plan.lower_bound_bytes)
                      : "nothing was written"),
      "over-budget");
}

// With --prove every claim of the certificate: one that is not true is a bug of the search.
Status Prove(const PlanCommand& command, Outcome& outcome) {
  if (!command.judge.prove) return {};
  OPASS_ASSIGN_OR_RETURN(
      outcome.report.claims,
      memory::JudgeCertificate(outcome.posed.problem, outcome.plan, command.judge));
  const Status status = reports::NoneRefused(outcome.report.claims);
  return status.ok() ? status : InternalError(status.error().message, status.error().where);
}

// Writes the graph after every pass that changed it: 01_fold_constants.onnx, ...
void SetUpDumps(const std::string& folder, Options& options) {
  if (folder.empty()) return;
  auto count = std::make_shared<int>(0);
  options.after_pass = [folder, count](const std::string& pass, const ir::Model& model) -> Status {
    const std::string path = fmt::format("{}/{:02}_{}.onnx", folder, ++*count, pass);
    return onnxlib::WriteModelFile(model, path, {}, nullptr);
  };
}

}  // namespace

void AddPlanCommand(CLI::App& app, PlanCommand& command, bool with_passes) {
  AddModel(app, command.model);
  auto* output = app.add_option("-o,--output", command.output, "the ONNX model to write");
  if (with_passes) output->required();
  app.add_option("--plan", command.plan, "the plan to write (default: OUTPUT.plan.json)");
  app.add_option("--emit", command.emits,
                 "write more: c-header=FILE, csv=FILE (buffers), problem=FILE (JSON)")
      ->allow_extra_args(false);
  app.add_option("--report", command.picture,
                 "draw the arena over time, before and after: a FILE.html or FILE.svg");
  app.add_option("--budget", command.budget, "fail with 3 when the arena is larger: 256KiB");
  app.add_option("--external-data", command.external,
                 "weights of the output: keep, copy (to a file beside it) or embed")
      ->check(CLI::IsMember({"keep", "copy", "embed"}))
      ->capture_default_str();
  app.add_flag("--force", command.force, "allow to write over the input");
  AddMemoryModel(app, command.model);
  AddPlanning(app, command.model);
  AddPasses(app, command.model);
  if (with_passes) {
    app.add_option("--passes", command.model.options.passes,
                   "passes to run after the clean-up, in this order, see 'opass list passes'")
        ->delimiter(',')
        ->allow_extra_args(false);
    app.add_option("--precision", command.precision,
                   "fp16: compute in float16 where that makes the arena smaller (lossy;\n"
                   "inputs and outputs keep their types, the error is told)")
        ->check(CLI::IsMember({"lossless", "fp16"}))
        ->capture_default_str();
    AddSearch(app, command);
    app.add_option("--dump-after", command.dump_folder,
                   "folder for the graph after every pass that changed it");
  }
  AddTestInputs(app, command.model, /*several_runs=*/true);
  app.add_flag("--no-verify", command.model.no_verify,
               "do not execute the plan and compare its outputs");
  app.add_flag("--require-verified", command.require_verified,
               "write nothing and exit with 1 when the result could not be verified");
  if (!with_passes) AddProve(app, command.judge);
  if (!with_passes) {
    app.get_option("model")->description(
        "the ONNX model ('-': standard input), or a problem "
        "(.json) without a model");
  }
  command.model.options.run_passes = with_passes;
}

Result<int> RunPlanCommand(PlanCommand& command, const Globals& globals) {
  OPASS_RETURN_IF_ERROR(Resolve(command.model));
  OPASS_ASSIGN_OR_RETURN(command.model.options.search.max_macs_overhead,
                         ParseShare(command.max_flops_overhead, "--max-flops-overhead"));
  command.model.options.allow_float16 = command.precision == "fp16";
  if (!command.budget.empty()) OPASS_RETURN_IF_ERROR(ParseBytes(command.budget));
  OPASS_ASSIGN_OR_RETURN(const std::vector<Emit> emits, ParseEmits(command.emits));
  OPASS_RETURN_IF_ERROR(CheckOutputs(command, emits));
  OPASS_RETURN_IF_ERROR(CheckPicturePath(command.picture));
  const bool is_problem = !command.model.options.run_passes && IsProblemFile(command.model.model);
  if (is_problem) OPASS_RETURN_IF_ERROR(CheckProblemOptions(command));
  SetUpDumps(command.dump_folder, command.model.options);
  auto progress = std::make_unique<Progress>(!globals.quiet);
  command.model.options.on_stage = [&](const std::string& stage) { progress->Stage(stage); };
  auto outcome = is_problem ? PlanProblem(command.model.model, command.model.options)
                            : Optimize(command.model.model, command.model.options);
  if (!outcome.ok()) return std::move(outcome.error());
  if (command.judge.prove) progress->Stage("proving");
  OPASS_RETURN_IF_ERROR(Prove(command, *outcome));
  progress.reset();
  if (InterruptedByUser()) return Error{ErrorCode::kInterrupted, "interrupted", "", "", ""};
  OPASS_RETURN_IF_ERROR(CheckBudget(command.budget, outcome->plan));
  const reports::Verification& verification = outcome->report.verification;
  if (command.require_verified && verification.verified != true) {
    return WithReason(Error{ErrorCode::kRefused, "not verified: " + verification.message,
                            command.model.model, "nothing was written", ""},
                      verification.reason);
  }
  OPASS_RETURN_IF_ERROR(WriteOutputs(command, emits, *outcome));
  if (outcome->report.stopped_by_time) {
    outcome->report.warnings.push_back(
        "planning was stopped by --time: the best so far, which another run need not find");
  }
  const reports::Report& report = outcome->report;
  for (const std::string& warning : report.warnings) {
    if (!globals.quiet) fmt::print(stderr, "opass: warning: {}\n", warning);
  }
  if (globals.json) {
    fmt::print("{}", reports::JsonText(report));
  } else if (!globals.quiet) {
    fmt::print("{}", reports::Table(report, globals.color));
    if (globals.verbose > 0) fmt::print("{}", reports::Details(report));
    if (command.explain) {
      fmt::print("{}{}", reports::Explanation(report), reports::SearchTimes(report));
    }
    fmt::print("{}", reports::ClaimsText(report.claims));
  }
  return 0;
}

}  // namespace opass::cli
