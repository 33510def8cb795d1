#include "opass/cli/model_options.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <limits>
#include <sstream>

#include "opass/allocators/allocator.h"
#include "opass/schedulers/scheduler.h"
#include "opass/support/bytes.h"
#include "opass/targets/target.h"

namespace opass::cli {
namespace {

template <typename Entries>
std::string Names(const Entries& entries, const char* first) {
  std::string names = first;
  for (const auto& entry : entries) names += ", " + std::string(entry.name);
  return names;
}

Status CheckNames(const Options& options) {
  if (options.scheduler != "auto" && schedulers::FindScheduler(options.scheduler) == nullptr) {
    return InvalidInput(fmt::format("there is no scheduler '{}'", options.scheduler), "--scheduler",
                        Names(schedulers::Schedulers(), "auto"));
  }
  if (options.allocator != "auto" && allocators::FindAllocator(options.allocator) == nullptr) {
    return InvalidInput(fmt::format("there is no allocator '{}'", options.allocator), "--allocator",
                        Names(allocators::Allocators(), "auto"));
  }
  if (targets::FindTarget(options.target) == nullptr) {
    return InvalidInput(fmt::format("there is no target '{}'", options.target), "--target",
                        "see 'opass list targets'");
  }
  return {};
}

}  // namespace

void AddModel(CLI::App& app, ModelOptions& options) {
  app.add_option("model", options.model, "ONNX file or Relay text, or - for standard input")
      ->required();
  app.add_option("--shape", options.options.bindings.shapes,
                 "fix the shape of an input: name=1,3,224,224 or name=1x3x224x224")
      ->take_all()
      ->allow_extra_args(false);
  app.add_option("--dim", options.options.bindings.dims,
                 "fix a symbolic dimension: batch=1, or give its upper bound: 'N<=128'")
      ->take_all()
      ->allow_extra_args(false);
}

void AddMemoryModel(CLI::App& app, ModelOptions& options) {
  app.add_option("--target", options.options.target,
                 "what will execute the plan: generic, onnxruntime")
      ->capture_default_str();
  app.add_option("--alignment", options.options.alignment,
                 "round sizes and offsets up to this many bytes (default: the target's, 64)")
      ->check(CLI::Range(std::int64_t{1}, memory::kMaxAlignment));
  app.add_option("--sharing", options.sharing,
                 "kinds of storage sharing to use: none, all, or a list of view,in_place (default: "
                 "all that the target honours)");
  app.add_flag("--preserve-inputs", options.options.preserve_inputs,
               "graph inputs keep their bytes to the end");
  app.add_flag("--exclude-io", options.options.exclude_io,
               "graph inputs and outputs are the caller's memory, outside the arena");
  app.add_option("--inputs", options.inputs,
                 "graph inputs count from the start (resident) or from their first reader "
                 "(first-use)")
      ->check(CLI::IsMember({"resident", "first-use"}))
      ->capture_default_str();
}

void AddPlanning(CLI::App& app, ModelOptions& options) {
  app.add_option("--scheduler", options.options.scheduler, "see 'opass list schedulers'")
      ->capture_default_str();
  app.add_option("--allocator", options.options.allocator, "see 'opass list allocators'")
      ->capture_default_str();
  AddSeed(app, options, "of everything that draws numbers");
  app.add_option("--time", options.options.time_limit_seconds,
                 "end planning with the best so far after so many seconds (default: when its work, "
                 "which is counted, is done)")
      ->check(CLI::PositiveNumber);
}

void AddSeed(CLI::App& app, ModelOptions& options, const char* what) {
  app.add_option("--seed", options.options.seed, what)
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
}

void AddPasses(CLI::App& app, ModelOptions& options) {
  app.add_option("--opset", options.options.opset, "write the model at this opset")
      ->check(CLI::Range(1, 1000));
  app.add_option("--disable", options.options.disabled_passes,
                 "passes to leave out, see 'opass list passes'")
      ->delimiter(',')
      ->allow_extra_args(false);
  app.add_option("--fold-growth", options.fold_growth,
                 "bytes by which folding may make the stored weights grow, or 'unlimited' "
                 "(default: as long as the peak falls by as much)");
}

void AddTestInputs(CLI::App& app, ModelOptions& options, bool several_runs) {
  app.add_option("--input", options.input_files,
                 "data for an input instead of random numbers: name=file.npy or name=file.pb")
      ->allow_extra_args(false);
  app.add_option("--input-range", options.input_ranges,
                 "range of the random numbers of an input: name=low:high")
      ->allow_extra_args(false);
  if (several_runs) {
    app.add_option("--runs", options.options.num_runs, "how many random inputs to compare on")
        ->check(CLI::Range(1, 1000))
        ->capture_default_str();
  }
  app.add_option("--threads", options.options.threads,
                 "threads of the search and of the runtime; plans are the same for any number,\n"
                 "the runtime's results are bit-equal for the same number only")
      ->check(CLI::Range(1, 256))
      ->capture_default_str();
}

Result<memory::Sharing> ParseSharing(const std::string& text) {
  memory::Sharing sharing;
  if (text.empty() || text == "all") return sharing;
  sharing.view = sharing.in_place = false;
  if (text == "none") return sharing;
  std::stringstream stream(text);
  for (std::string kind; std::getline(stream, kind, ',');) {
    if (kind == "view") {
      sharing.view = true;
    } else if (kind == "in_place") {
      sharing.in_place = true;
    } else {
      return InvalidInput(fmt::format("there is no sharing of kind '{}'", kind), "--sharing",
                          "none, view, in_place or view,in_place");
    }
  }
  return sharing;
}

void AddProve(CLI::App& app, memory::JudgeOptions& options) {
  app.add_flag("--prove", options.prove,
               "run the searches of the certificate again, without any of their rules");
  app.add_option("--prove-states", options.max_states, "states that each of these may visit")
      ->capture_default_str();
}

Status Resolve(ModelOptions& options) {
  Options& resolved = options.options;
  OPASS_RETURN_IF_ERROR(CheckNames(resolved));
  OPASS_ASSIGN_OR_RETURN(resolved.sharing, ParseSharing(options.sharing));
  resolved.inputs = options.inputs == "first-use" ? memory::InputArrival::kFirstUse
                                                  : memory::InputArrival::kResident;
  resolved.verify = !options.no_verify;
  if (options.fold_growth == "unlimited") {
    resolved.fold_growth_bytes = kMaxBytes;
  } else if (!options.fold_growth.empty()) {
    OPASS_ASSIGN_OR_RETURN(resolved.fold_growth_bytes, ParseBytes(options.fold_growth));
  }
  for (const std::string& text : options.input_files) {
    OPASS_RETURN_IF_ERROR(runtime::ParseInputFlag(text, resolved.test_inputs));
  }
  for (const std::string& text : options.input_ranges) {
    OPASS_RETURN_IF_ERROR(runtime::ParseInputRangeFlag(text, resolved.test_inputs));
  }
  resolved.test_inputs.seed = resolved.seed;
  return {};
}

}  // namespace opass::cli
