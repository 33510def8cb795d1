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
