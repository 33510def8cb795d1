// opass verify: do two models compute the same?
#include "opass/runtime/verify.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "opass/cli/command.h"
#include "opass/cli/model_options.h"
#include "opass/import_model.h"
#include "opass/support/json.h"
#include "opass/support/progress.h"

namespace opass::cli {
namespace {

struct VerifyCommand {
  ModelOptions first;
  std::string second;
  bool within_bound = false;
};

void PrintJson(const VerifyCommand& command, const runtime::Verdict& verdict) {
  Json json;
  json["a"] = command.first.model;
  json["b"] = command.second;
  json["verified"] = verdict.verified ? Json(*verdict.verified) : Json();
  json["reason"] = verdict.reason.empty() ? Json() : Json(verdict.reason);
  json["message"] = verdict.message.empty() ? Json() : Json(verdict.message);
  json["max_abs_error"] = verdict.max_abs_error ? Json(*verdict.max_abs_error) : Json();
  json["max_rel_error"] = verdict.max_rel_error ? Json(*verdict.max_rel_error) : Json();
  json["worst_tensor"] = verdict.worst_tensor.empty() ? Json() : Json(verdict.worst_tensor);
  json["worst_index"] = verdict.worst_index;
  json["num_tensors"] = verdict.num_tensors;
  json["notes"] = verdict.notes;
  fmt::print("{}\n", json.dump(2, ' ', false, Json::error_handler_t::replace));
}

void PrintText(const VerifyCommand& command, const runtime::Verdict& verdict) {
  const char* answer = !verdict.verified   ? "cannot tell"
                       : *verdict.verified ? "equal"
                                           : "DIFFERENT";
  fmt::print("{} and {}: {}\n", command.first.model, command.second, answer);
  if (!verdict.message.empty()) fmt::print("  {}\n", verdict.message);
  if (verdict.num_tensors > 0) fmt::print("  {} tensors compared\n", verdict.num_tensors);
  if (verdict.max_abs_error) {
    fmt::print(
        "  largest error {:g}{}\n", *verdict.max_abs_error,
        verdict.worst_tensor.empty()
            ? ""
            : fmt::format(" (relative {:g}), in '{}' at {}", verdict.max_rel_error.value_or(0),
                          verdict.worst_tensor, verdict.worst_index));
  }
  for (const std::string& note : verdict.notes) fmt::print("  note: {}\n", note);
}

// The model to compare with may be bound already: opass writes fixed dimensions.
Result<ir::Model> ImportOther(const std::string& path, const frontends::ShapeBindings& bindings) {
  auto model = ImportModel(path, bindings);
  if (model.ok() || model.error().reason != "bad-binding") return model;
  return ImportModel(path, {});
}

Result<int> Run(VerifyCommand& command, const Globals& globals) {
  OPASS_RETURN_IF_ERROR(Resolve(command.first));
  const Options& options = command.first.options;
  OPASS_ASSIGN_OR_RETURN(const ir::Model a, ImportModel(command.first.model, options.bindings));
  OPASS_ASSIGN_OR_RETURN(const ir::Model b, ImportOther(command.second, options.bindings));
  runtime::VerifyOptions verify;
  verify.exact = !command.within_bound;
  verify.inner_values = true;
  verify.inputs = options.test_inputs;
  verify.num_runs = options.num_runs;
  verify.threads = options.threads;
  auto progress = std::make_unique<Progress>(!globals.quiet);
  progress->Stage("comparing");
  auto verdict = runtime::VerifyModels(a, b, verify);
  progress.reset();
  if (!verdict.ok()) return std::move(verdict.error());
  if (globals.json) {
    PrintJson(command, *verdict);
  } else if (!globals.quiet) {
    PrintText(command, *verdict);
  }
  return verdict->verified == false ? ExitCode(ErrorCode::kRefused) : 0;
}

std::function<Result<int>()> Setup(CLI::App& app, const Globals& globals) {
  auto command = std::make_shared<VerifyCommand>();
  AddModel(app, command->first);
  app.add_option("other", command->second, "the model to compare with")->required();
  app.add_flag("--within-bound", command->within_bound,
               "accept rounding (the bound of passes that reassociate) instead of bit equality");
  AddSeed(app, command->first, "of the random inputs");
  AddTestInputs(app, command->first, /*several_runs=*/true);
  return [command, &globals] { return Run(*command, globals); };
}

}  // namespace

extern const Command command_verify;
const Command command_verify = {
    .name = "verify",
    .summary = "Execute two models and compare every tensor they have in common",
    .examples =
        "  opass verify model.onnx small.onnx\n"
        "  opass verify a.onnx b.onnx --input x=photo.npy --within-bound --json\n",
    .setup = Setup,
};

}  // namespace opass::cli
