// opass check: judges a plan, whoever made it.
#include "opass/memory/check.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>

#include "opass/cli/command.h"
#include "opass/cli/planned_model.h"
#include "opass/cli/problem_outcome.h"
#include "opass/memory/plan_json.h"
#include "opass/memory/problem_json.h"
#include "opass/reports/claims.h"
#include "opass/support/file.h"
#include "opass/support/interrupt.h"
#include "opass/support/json.h"
#include "opass/support/progress.h"

namespace opass::cli {
namespace {

struct CheckCommand {
  ModelOptions model;
  std::string plan;
  bool certificate = false;
  memory::JudgeOptions judge;
};

struct Judged {
  memory::Plan plan;
  std::vector<memory::JudgedClaim> claims;  // with --certificate
};

Result<Judged> Judge(const CheckCommand& command, const memory::Problem& problem,
                     memory::Plan plan) {
  OPASS_RETURN_IF_ERROR(memory::Check(problem, plan));
  Judged judged{std::move(plan), {}};
  if (command.certificate || command.judge.prove) {
    OPASS_ASSIGN_OR_RETURN(judged.claims,
                           memory::JudgeCertificate(problem, judged.plan, command.judge));
  }
  return judged;
}

Result<Judged> ReadAndJudge(const CheckCommand& command) {
  if (!IsProblemFile(command.model.model)) {
    OPASS_ASSIGN_OR_RETURN(PlannedModel planned, ReadPlannedModel(command.model, command.plan));
    return Judge(command, planned.posed.problem, std::move(planned.plan));
  }
  OPASS_ASSIGN_OR_RETURN(const std::string problem_text, ReadFile(command.model.model));
  OPASS_ASSIGN_OR_RETURN(const memory::Problem problem,
                         memory::ParseProblem(problem_text, command.model.model));
  OPASS_ASSIGN_OR_RETURN(const std::string plan_text, ReadFile(command.plan));
  OPASS_ASSIGN_OR_RETURN(memory::Plan plan, memory::ParsePlan(problem, plan_text, command.plan));
  return Judge(command, problem, std::move(plan));
}

std::string HowBound(const Judged& judged) {
  if (memory::IsCheckable(judged.plan.certificate)) return "";
  const bool confirmed = std::any_of(
      judged.claims.begin(), judged.claims.end(), [&](const memory::JudgedClaim& claim) {
        return claim.verdict == memory::JudgedClaim::Verdict::kConfirmed &&
               claim.bytes == judged.plan.lower_bound_bytes;
      });
  return confirmed ? " (by a search, confirmed)" : " (by a search, taken on trust)";
}

void PrintJson(const CheckCommand& command, const Result<Judged>& judged, const Status& verdict) {
  const memory::Plan* plan = judged.ok() ? &judged->plan : nullptr;
  Json json;
  json["plan"] = command.plan;
  json["accepted"] = verdict.ok();
  json["message"] = verdict.ok() ? Json() : Json(verdict.error().ToString());
  json["arena_bytes"] = plan != nullptr ? Json(plan->arena_bytes) : Json();
  json["peak_bytes"] = plan != nullptr ? Json(plan->peak_bytes) : Json();
  json["lower_bound_bytes"] = plan != nullptr ? Json(plan->lower_bound_bytes) : Json();
  json["proven_optimal"] = plan != nullptr ? Json(plan->proven_optimal) : Json();
  json["bound_checked"] = plan != nullptr ? Json(memory::IsCheckable(plan->certificate)) : Json();
  if (command.certificate || command.judge.prove) {
    json["certificate"] = plan != nullptr ? reports::ClaimsJson(judged->claims) : Json();
  }
  fmt::print("{}\n", json.dump(2, ' ', false, Json::error_handler_t::replace));
}

void PrintText(const CheckCommand& command, const Result<Judged>& judged, const Status& verdict) {
  if (verdict.ok()) {
    const memory::Plan& plan = judged->plan;
    fmt::print("{}: accepted: arena {} bytes, peak {} bytes, lower bound {} bytes{}{}\n",
               command.plan, plan.arena_bytes, plan.peak_bytes, plan.lower_bound_bytes,
               plan.proven_optimal ? ", proven optimal" : "", HowBound(*judged));
  } else {
    fmt::print("{}: refused: {}\n", command.plan, verdict.error().ToString());
  }
  if (judged.ok()) fmt::print("{}", reports::ClaimsText(judged->claims));
}

Result<int> Run(CheckCommand& command, const Globals& globals) {
  auto progress = std::make_unique<Progress>(!globals.quiet);
  progress->Stage("checking");
  const Result<Judged> judged = ReadAndJudge(command);
  progress.reset();
  if (!judged.ok() && judged.error().code != ErrorCode::kRefused) return judged.error();
  if (InterruptedByUser()) return Error{ErrorCode::kInterrupted, "interrupted", "", "", ""};
  const Status verdict =
      judged.ok() ? reports::NoneRefused(judged->claims) : Status(judged.error());
  if (globals.json) {
    PrintJson(command, judged, verdict);
  } else if (!globals.quiet) {
    PrintText(command, judged, verdict);
  }
  return verdict.ok() ? 0 : ExitCode(ErrorCode::kRefused);
}

std::function<Result<int>()> Setup(CLI::App& app, const Globals& globals) {
  auto command = std::make_shared<CheckCommand>();
  AddModel(app, command->model);
  app.get_option("model")->description("the ONNX model, or a problem (.json)");
  app.add_option("plan", command->plan, "the plan (JSON)")->required();
  app.add_flag("--certificate", command->certificate,
               "judge every claim of its certificate, a line each");
  AddProve(app, command->judge);
  return [command, &globals] { return Run(*command, globals); };
}

}  // namespace

extern const Command command_check;
const Command command_check = {
    .name = "check",
    .summary = "Judge a plan against its model or problem; 1 when it is refused",
    .examples =
        "  opass check small.onnx small.plan.json\n"
        "  opass check problem.json plan.json --json\n"
        "  opass check problem.json plan.json --certificate --prove\n",
    .setup = Setup,
};

}  // namespace opass::cli
