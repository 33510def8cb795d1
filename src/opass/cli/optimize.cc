// opass optimize: the main job.
#include <CLI/CLI.hpp>
#include <memory>

#include "opass/cli/plan_command.h"

namespace opass::cli {
namespace {

std::function<Result<int>()> Setup(CLI::App& app, const Globals& globals) {
  auto command = std::make_shared<PlanCommand>();
  AddPlanCommand(app, *command, /*with_passes=*/true);
  return [command, &globals] { return RunPlanCommand(*command, globals); };
}

}  // namespace

extern const Command command_optimize;
const Command command_optimize = {
    .name = "optimize",
    .summary = "Clean up, schedule and place a model; prove the result by executing it",
    .examples =
        "  opass optimize model.onnx -o small.onnx\n"
        "  opass optimize model.onnx -o small.onnx --shape input=1,3,224,224\n"
        "  opass optimize model.onnx -o small.onnx --dim batch=1 --budget 256KiB\n"
        "  opass optimize model.onnx -o small.onnx --precision fp16\n"
        "  opass optimize model.onnx -o small.onnx --emit c-header=plan.h --json\n",
    .setup = Setup,
};

}  // namespace opass::cli
