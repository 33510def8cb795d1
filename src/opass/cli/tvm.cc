// opass tvm: Apache TVM's modules with our plan (docs/tvm.md).
#include <CLI/CLI.hpp>
#include <memory>

#include "opass/cli/command.h"
#include "opass/cli/tvm_command.h"

namespace opass::cli {
namespace {

std::function<Result<int>()> Setup(CLI::App& app, const Globals& globals) {
  app.require_subcommand(1);
  auto chosen = std::make_shared<std::function<Result<int>()>>();
  const auto add = [&](const char* name, const char* summary, const char* examples,
                       TvmSetup setup) {
    CLI::App* sub = app.add_subcommand(name, summary);
    sub->footer(std::string("Examples:\n") + examples);
    sub->fallthrough();
    sub->callback([chosen, run = setup(*sub, globals)] { *chosen = run; });
  };
  add("compare", "Compile a model with TVM's memory plans and with ours, run all, print a table",
      "  opass tvm compare model.onnx\n"
      "  opass tvm compare model.onnx --shape input=1,3,224,224 --runs 20 --json\n"
      "  opass tvm compare model.onnx --strategies opass --evaluations 100\n",
      SetupTvmCompare);
  add("optimize", "Compile a model with less memory, as a library for TVM's runtime",
      "  opass tvm optimize model.onnx -o model.so\n"
      "  opass tvm optimize model.onnx -o model.so --strategy none --dim batch=1\n",
      SetupTvmOptimize);
  return [chosen] { return (*chosen)(); };
}

}  // namespace

extern const Command command_tvm;
const Command command_tvm = {
    .name = "tvm",
    .summary = "Plan the memory of Apache TVM's modules (needs 'make tvm')",
    .examples =
        "  opass tvm optimize model.onnx -o model.so\n"
        "  opass tvm compare model.onnx\n",
    .setup = Setup,
};

}  // namespace opass::cli
