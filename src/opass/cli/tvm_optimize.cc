#include "opass/cli/tvm_optimize.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "opass/cli/tvm_command.h"
#include "opass/cli/tvm_compare.h"
#include "opass/tvm/load.h"

namespace opass::cli {
namespace {

struct Settings {
  TvmModelOptions model;
  std::string strategy = "opass";
  tvm::OptimizeOptions optimize;
};

Result<int> Run(Settings& settings, const Globals& globals) {
  std::vector<std::string> strategies{settings.strategy};
  OPASS_RETURN_IF_ERROR(CheckStrategies(strategies));
  OPASS_ASSIGN_OR_RETURN(const tvm::ModelInput model, Resolve(settings.model));
  tvm::OptimizeOptions& options = settings.optimize;
  if (!options.output.ends_with(".so")) {
    return InvalidInput("the output is a shared library and must end in .so", options.output);
  }
  options.strategy = strategies.empty() ? "" : strategies.front();
  options.run.seed = options.search.seed;
  OPASS_ASSIGN_OR_RETURN(tvm::Session * session, tvm::OpenSession());
  options.on_stage = StagePrinter(globals);
  OPASS_ASSIGN_OR_RETURN(const tvm::Optimized optimized,
                         tvm::OptimizeModel(*session, model, options));
  if (globals.json) {
    const Json json{{"model", settings.model.model},     {"output", options.output},
                    {"inputs", optimized.inputs},        {"before", RowJson(optimized.before)},
                    {"after", RowJson(optimized.after)}, {"notes", optimized.notes}};
    fmt::print("{}\n", json.dump(2, ' ', false, Json::error_handler_t::replace));
  } else if (!globals.quiet) {
    fmt::print("{}", OptimizedText(optimized, options.output));
  }
  return 0;
}

}  // namespace

std::string OptimizedText(const tvm::Optimized& optimized, const std::string& path) {
  const tvm::ComparedRow& before = optimized.before;
  const tvm::ComparedRow& after = optimized.after;
  std::string text = fmt::format(
      "planned           {} bytes instead of {}\n"
      "hidden workspace  {} bytes instead of {}\n"
      "time              {:.2f} ms instead of {:.2f}\n"
      "outputs           {}\n",
      after.planned_bytes, before.planned_bytes, after.workspace_bytes, before.workspace_bytes,
      after.seconds * 1e3, before.seconds * 1e3, DifferenceText(after.difference));
  if (!after.passes.empty()) {
    text += fmt::format("passes            {}\n", fmt::join(after.passes, ", "));
  }
  for (const std::string& note : optimized.notes)
    text += fmt::format("rejected          {}\n", note);
  text += fmt::format(
      "\nTo run it in Python (inputs: {}):\n\n"
      "  import tvm\n"
      "  from tvm import relax\n"
      "  vm = relax.VirtualMachine(tvm.runtime.load_module(\"{}\"), tvm.cpu())\n"
      "  outputs = vm[\"main\"](*[tvm.runtime.tensor(array) for array in arrays])\n",
      fmt::join(optimized.inputs, ", "), path);
  return text;
}

std::function<Result<int>()> SetupTvmOptimize(CLI::App& app, const Globals& globals) {
  auto settings = std::make_shared<Settings>();
  AddTvmModel(app, settings->model);
  app.add_option("-o,--output", settings->optimize.output, "the library to write: model.so")
      ->required();
  app.add_option("--strategy", settings->strategy,
                 "search over TVM's passes (opass list strategies); 'none': none")
      ->capture_default_str();
  AddTvmSearch(app, settings->optimize.search);
  settings->optimize.run.num_runs = 5;
  return [settings, &globals] { return Run(*settings, globals); };
}

}  // namespace opass::cli
