// opass schedule: orders and places the graph as it is.
#include <CLI/CLI.hpp>
#include <memory>

#include "opass/cli/plan_command.h"

namespace opass::cli {
namespace {

std::function<Result<int>()> Setup(CLI::App& app, const Globals& globals) {
  auto command = std::make_shared<PlanCommand>();
  AddPlanCommand(app, *command, /*with_passes=*/false);
  return [command, &globals] { return RunPlanCommand(*command, globals); };
}

}  // namespace

extern const Command command_schedule;
const Command command_schedule = {
    .name = "schedule",
    .summary = "Order and place the graph as it is, without rewriting it",
    .examples =
        "  opass schedule model.onnx\n"
        "  opass schedule model.onnx -o ordered.onnx --scheduler beam\n"
        "  opass schedule problem.json --plan plan.json --report plan.html\n"
        "  opass schedule model.onnx --sharing none --alignment 1 --no-verify --json\n",
    .setup = Setup,
};

}  // namespace opass::cli
