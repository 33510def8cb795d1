// opass run: executes a plan in one arena of exactly its size, and proves it.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "opass/cli/command.h"
#include "opass/cli/planned_model.h"
#include "opass/memory/check.h"
#include "opass/runtime/arena_executor.h"
#include "opass/runtime/npy.h"
#include "opass/support/bytes.h"
#include "opass/support/file.h"
#include "opass/support/json.h"
#include "opass/support/progress.h"

namespace opass::cli {
namespace {

struct RunCommand {
  ModelOptions model;
  std::string plan;
  std::vector<std::string> outputs;  // name=file.npy
};

Status WriteOutputs(const RunCommand& command, const runtime::RunReport& report) {
  for (const std::string& text : command.outputs) {
    const std::size_t equals = text.rfind('=');
    if (equals == std::string::npos || equals + 1 == text.size()) {
      return InvalidInput(fmt::format("'{}' is not name=file.npy", text), "--output");
    }
    const auto found = report.outputs.find(text.substr(0, equals));
    if (found == report.outputs.end() || found->second == nullptr) {
      return InvalidInput(fmt::format("there is no output '{}'", text.substr(0, equals)),
                          "--output");
    }
    OPASS_ASSIGN_OR_RETURN(const std::string content, runtime::FormatNpy(*found->second));
    OPASS_RETURN_IF_ERROR(WriteFileAtomically(text.substr(equals + 1), content));
  }
  return {};
}

void PrintJson(const RunCommand& command, const memory::Plan& plan,
               const runtime::RunReport& report) {
  Json json;
  json["model"] = command.model.model;
  json["plan"] = command.plan;
  json["arena_bytes"] = plan.arena_bytes;
  json["verified"] = report.cannot_run ? Json() : Json(report.bit_equal);
  json["reason"] = report.cannot_run   ? Json(report.cannot_run->reason)
                   : report.difference ? Json("outputs-differ")
                                       : Json();
  json["message"] = report.cannot_run   ? Json(report.cannot_run->ToString())
                    : report.difference ? Json(report.difference->ToString())
                                        : Json();
  json["runtime_scratch_bytes"] = report.runtime_scratch_bytes;
  json["runtime_scratch_node"] = report.runtime_scratch_node;
  json["runtime_outside_bytes"] = report.outside_bytes;
  json["runtime_outside_allocations"] = report.outside_allocations;
  json["seconds"] = report.seconds;
  json["outputs"] = Json::object();
  for (const auto& [name, tensor] : report.outputs) {
    json["outputs"][name] =
        tensor == nullptr ? Json() : Json(ir::Type::Tensor(tensor->type, tensor->dims).ToString());
  }
  fmt::print("{}\n", json.dump(2, ' ', false, Json::error_handler_t::replace));
}

void PrintText(const RunCommand& command, const memory::Plan& plan,
               const runtime::RunReport& report) {
  fmt::print("{} with {}\n", command.model.model, command.plan);
  fmt::print("  arena                {} bytes ({}), one allocation between guard pages\n",
             plan.arena_bytes, FormatBytes(plan.arena_bytes));
  if (report.cannot_run) {
    fmt::print("  not run: {}\n", report.cannot_run->ToString());
    return;
  }
  fmt::print("  every output         {}\n",
             report.bit_equal ? "bit-equal to the same kernels with values in their own memory"
                              : "DIFFERENT: " + report.difference->ToString());
  fmt::print(
      "  kernel scratch       {}{}\n", FormatBytes(report.runtime_scratch_bytes),
      report.runtime_scratch_node.empty() ? "" : ", most by '" + report.runtime_scratch_node + "'");
  fmt::print("  outside the arena    {} at most, in {} allocations\n",
             FormatBytes(report.outside_bytes), report.outside_allocations);
  fmt::print("  time                 {:.3f} s\n", report.seconds);
  for (const auto& [name, tensor] : report.outputs) {
    fmt::print("  output               {} {}\n", name,
               tensor == nullptr ? "(no tensor)"
                                 : ir::Type::Tensor(tensor->type, tensor->dims).ToString());
  }
}

Result<int> Run(RunCommand& command, const Globals& globals) {
  OPASS_RETURN_IF_ERROR(Resolve(command.model));
  OPASS_ASSIGN_OR_RETURN(const PlannedModel planned, ReadPlannedModel(command.model, command.plan));
  if (Status status = memory::Check(planned.posed.problem, planned.plan); !status.ok()) {
    status.error().where = command.plan + ": " + status.error().where;
    return std::move(status.error());
  }
  OPASS_ASSIGN_OR_RETURN(const auto inputs, runtime::MakeInputs(planned.model.graph,
                                                                command.model.options.test_inputs));
  auto progress = std::make_unique<Progress>(!globals.quiet);
  progress->Stage("running");
  OPASS_ASSIGN_OR_RETURN(
      const auto executor,
      runtime::ArenaExecutor::Prepare({planned.model, planned.posed.problem, planned.plan,
                                       planned.posed.node_of_op, planned.posed.value_of},
                                      {.threads = command.model.options.threads}));
  OPASS_ASSIGN_OR_RETURN(const runtime::RunReport report, executor->Run(inputs));
  progress.reset();
  if (!report.difference && !report.cannot_run) {
    OPASS_RETURN_IF_ERROR(WriteOutputs(command, report));
  }
  if (globals.json) {
    PrintJson(command, planned.plan, report);
  } else if (!globals.quiet) {
    PrintText(command, planned.plan, report);
  }
  if (report.cannot_run) return ExitCode(ErrorCode::kNotPossible);
  return report.bit_equal ? 0 : ExitCode(ErrorCode::kRefused);
}

std::function<Result<int>()> Setup(CLI::App& app, const Globals& globals) {
  auto command = std::make_shared<RunCommand>();
  AddModel(app, command->model);
  app.add_option("--plan", command->plan, "the plan (JSON)")->required();
  app.add_option("--output", command->outputs, "write an output: name=file.npy")
      ->allow_extra_args(false);
  AddSeed(app, command->model, "of the random inputs");
  AddTestInputs(app, command->model, /*several_runs=*/false);
  return [command, &globals] { return Run(*command, globals); };
}

}  // namespace

extern const Command command_run;
const Command command_run = {
    .name = "run",
    .summary = "Execute a plan in one arena of its size",
    .examples =
        "  opass run small.onnx --plan small.plan.json\n"
        "  opass run small.onnx --plan small.plan.json --input x=x.npy --output y=y.npy\n",
    .setup = Setup,
};

}  // namespace opass::cli
