#include "opass/cli/tvm_command.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "opass/frontends/onnx/parse_bindings.h"
#include "opass/orchestrator/strategies/strategy.h"
#include "opass/support/file.h"

namespace opass::cli {

void AddTvmModel(CLI::App& app, TvmModelOptions& options) {
  app.add_option("model", options.model, "ONNX model")->required();
  app.add_option("--shape", options.shapes, "all dimensions of an input: name=1,3,224,224")
      ->allow_extra_args(false);
  app.add_option("--dim", options.dims, "the value of a named dimension: batch=1")
      ->allow_extra_args(false);
}

std::function<void(const std::string&)> StagePrinter(const Globals& globals) {
  if (globals.quiet || globals.json) return nullptr;
  return [](const std::string& stage) { fmt::print(stderr, "{} ...\n", stage); };
}

void AddTvmSearch(CLI::App& app, tvm::SearchRequest& search) {
  app.add_option("--evaluations", search.evaluations, "modules that a search may schedule")
      ->check(CLI::Range(1, 1'000'000))
      ->capture_default_str();
  app.add_option("--seed", search.seed, "of the searches and of the random inputs")
      ->capture_default_str();
  app.add_flag("--allow-imprecise", search.allow_imprecise,
               "also try FastMathTransform and ToMixedPrecision");
}

Status CheckStrategies(std::vector<std::string>& strategies) {
  std::erase(strategies, "none");
  for (const std::string& name : strategies) {
    if (orchestrator::FindStrategy(name) == nullptr) {
      return InvalidInput(fmt::format("there is no strategy '{}'", name), "",
                          "see 'opass list strategies'");
    }
  }
  return {};
}

Result<tvm::ModelInput> Resolve(const TvmModelOptions& options) {
  tvm::ModelInput input;
  input.path = options.model;
  for (const std::string& text : options.shapes) {
    OPASS_ASSIGN_OR_RETURN(frontends::NamedShape shape, frontends::ParseNamedShape(text));
    input.shapes.push_back({std::move(shape.name), std::move(shape.dims)});
  }
  for (const std::string& text : options.dims) {
    OPASS_ASSIGN_OR_RETURN(frontends::NamedDim dim, frontends::ParseNamedDim(text));
    input.dims.push_back({std::move(dim.symbol), dim.value});
  }
  OPASS_ASSIGN_OR_RETURN(const auto file, MappedFile::Open(options.model));
  return input;
}

}  // namespace opass::cli
