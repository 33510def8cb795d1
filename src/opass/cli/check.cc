// opass check: judges a plan, whoever made it.
#include "opass/memory/check.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "opass/cli/command.h"
#include "opass/cli/planned_model.h"
#include "opass/memory/plan_json.h"
#include "opass/memory/problem_json.h"
#include "opass/support/file.h"
#include "opass/support/json.h"

namespace opass::cli {
namespace {

struct CheckCommand {
  ModelOptions model;
  std::string plan;
};

bool IsProblemFile(const std::string& path) { return path.ends_with(".json"); }

Result<memory::Plan> ReadAndCheck(const CheckCommand& command) {
  if (!IsProblemFile(command.model.model)) {
    OPASS_ASSIGN_OR_RETURN(PlannedModel planned, ReadPlannedModel(command.model, command.plan));
    OPASS_RETURN_IF_ERROR(memory::Check(planned.posed.problem, planned.plan));
    return std::move(planned.plan);
  }
  OPASS_ASSIGN_OR_RETURN(const std::string problem_text, ReadFile(command.model.model));
  OPASS_ASSIGN_OR_RETURN(const memory::Problem problem,
                         memory::ParseProblem(problem_text, command.model.model));
  OPASS_ASSIGN_OR_RETURN(const std::string plan_text, ReadFile(command.plan));
  OPASS_ASSIGN_OR_RETURN(memory::Plan plan, memory::ParsePlan(problem, plan_text, command.plan));
  OPASS_RETURN_IF_ERROR(memory::Check(problem, plan));
  return plan;
}

Result<int> Run(CheckCommand& command, const Globals& globals) {
  const Result<memory::Plan> plan = ReadAndCheck(command);
  if (!plan.ok() && plan.error().code != ErrorCode::kRefused) return plan.error();
  if (globals.json) {
    Json json;
    json["plan"] = command.plan;
    json["accepted"] = plan.ok();
    json["message"] = plan.ok() ? Json() : Json(plan.error().ToString());
    json["arena_bytes"] = plan.ok() ? Json(plan->arena_bytes) : Json();
    json["peak_bytes"] = plan.ok() ? Json(plan->peak_bytes) : Json();
    json["lower_bound_bytes"] = plan.ok() ? Json(plan->lower_bound_bytes) : Json();
    json["proven_optimal"] = plan.ok() ? Json(plan->proven_optimal) : Json();
    json["bound_checked"] = plan.ok() ? Json(memory::IsCheckable(plan->certificate)) : Json();
    fmt::print("{}\n", json.dump(2, ' ', false, Json::error_handler_t::replace));
  } else if (!plan.ok() && !globals.quiet) {
    fmt::print("{}: refused: {}\n", command.plan, plan.error().ToString());
  } else if (!globals.quiet) {
    fmt::print("{}: accepted: arena {} bytes, peak {} bytes, lower bound {} bytes{}{}\n",
               command.plan, plan->arena_bytes, plan->peak_bytes, plan->lower_bound_bytes,
               plan->proven_optimal ? ", proven optimal" : "",
               memory::IsCheckable(plan->certificate) ? "" : " (by a search, taken on trust)");
  }
  return plan.ok() ? 0 : ExitCode(ErrorCode::kRefused);
}

std::function<Result<int>()> Setup(CLI::App& app, const Globals& globals) {
  auto command = std::make_shared<CheckCommand>();
  AddModel(app, command->model);
  app.get_option("model")->description("the ONNX model, or a problem (.json)");
  app.add_option("plan", command->plan, "the plan (JSON)")->required();
  return [command, &globals] { return Run(*command, globals); };
}

}  // namespace

extern const Command command_check;
const Command command_check = {
    .name = "check",
    .summary = "Judge a plan against its model or problem; 1 when it is refused",
    .examples =
        "  opass check small.onnx small.plan.json\n"
        "  opass check problem.json plan.json --json\n",
    .setup = Setup,
};

}  // namespace opass::cli
