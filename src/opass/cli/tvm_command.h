#pragma once

#include <functional>
#include <string>
#include <vector>

#include "opass/cli/command.h"
#include "opass/tvm/compare.h"

// The commands of `opass tvm`, one a file.
namespace opass::cli {

using TvmSetup = std::function<Result<int>()> (*)(CLI::App& app, const Globals& globals);

std::function<Result<int>()> SetupTvmCompare(CLI::App& app, const Globals& globals);

std::function<Result<int>()> SetupTvmOptimize(CLI::App& app, const Globals& globals);

// Prints what begins to standard error; nothing with --json or --quiet.
std::function<void(const std::string&)> StagePrinter(const Globals& globals);

// --evaluations, --seed, --allow-imprecise.
void AddTvmSearch(CLI::App& app, tvm::SearchRequest& search);
// Takes "none" out of the list. Error (kInvalidInput): a strategy that there is not.
Status CheckStrategies(std::vector<std::string>& strategies);

// The model as it stands on the command line: MODEL, --shape, --dim.
struct TvmModelOptions {
  std::string model;
  std::vector<std::string> shapes;
  std::vector<std::string> dims;
};
void AddTvmModel(CLI::App& app, TvmModelOptions& options);
// Errors: kInvalidInput with the form that is expected; there is no such file.
Result<tvm::ModelInput> Resolve(const TvmModelOptions& options);

}  // namespace opass::cli
