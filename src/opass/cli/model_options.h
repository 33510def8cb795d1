#pragma once

#include <memory>
#include <string>
#include <vector>

#include "opass/memory/judge_certificate.h"
#include "opass/opass.h"
#include "opass/support/result.h"

namespace CLI {
class App;
}

namespace opass::cli {

// The options that optimize, schedule and analyze share, as they stand on the command line.
struct ModelOptions {
  std::string model;
  Options options;

  // Texts that Resolve turns into `options`.
  std::string sharing;
  std::string inputs = "resident";
  std::string fold_growth;
  std::vector<std::string> input_files;
  std::vector<std::string> input_ranges;
  bool no_verify = false;
};

// Declares the model and how to bind it: MODEL, --shape, --dim.
void AddModel(CLI::App& app, ModelOptions& options);
// Declares how memory is counted: --target, --alignment, --sharing, --inputs, ...
void AddMemoryModel(CLI::App& app, ModelOptions& options);
// Declares --scheduler, --allocator, --seed.
void AddPlanning(CLI::App& app, ModelOptions& options);
// Declares the passes: --disable, --fold-growth, --opset.
void AddPasses(CLI::App& app, ModelOptions& options);
void AddSeed(CLI::App& app, ModelOptions& options, const char* what);
// Declares test inputs: --input, --input-range, --threads, and --runs where there may be several.
void AddTestInputs(CLI::App& app, ModelOptions& options, bool several_runs);
// Declares --prove and its limit.
void AddProve(CLI::App& app, memory::JudgeOptions& options);

// Fills `options.options` from the texts. Errors: kInvalidInput with the form that is expected.
Status Resolve(ModelOptions& options);

// "view,in_place", "none" or "all" -> which kinds.
Result<memory::Sharing> ParseSharing(const std::string& text);

}  // namespace opass::cli
