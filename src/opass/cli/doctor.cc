// opass doctor: what this machine has of what opass needs at run time, and what to do about the
// rest.
#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "opass/cli/command.h"
#include "opass/onnx/schema.h"
#include "opass/ort/library.h"
#include "opass/support/json.h"
#include "opass/version.h"

namespace opass::cli {
namespace {

Result<int> Run(const Globals& globals) {
  Json report;
  report["opass"] = kVersion;
  report["onnx_opset"] = onnxlib::LatestOpset();
  const auto library = ort::Library::Get();
  Json& runtime = report["onnxruntime"];
  runtime["found"] = library.ok();
  runtime["version"] = library.ok() ? Json((*library)->version()) : Json();
  runtime["path"] = library.ok() ? Json((*library)->path()) : Json();
  if (!library.ok()) {
    runtime["message"] = library.error().ToString();
  }
  if (globals.json) {
    fmt::print("{}\n", report.dump(2));
  } else if (!globals.quiet) {
    fmt::print("opass         {}\n", kVersion);
    fmt::print("onnx          opsets up to {}\n", onnxlib::LatestOpset());
    if (library.ok()) {
      fmt::print("onnxruntime   {} at {}\n", (*library)->version(), (*library)->path());
      fmt::print("all is well\n");
    } else {
      fmt::print("onnxruntime   MISSING: {}\n", library.error().ToString());
      fmt::print(
          "  Folding, executing and comparing need it. 'make build' installs it into the\n"
          "  project; elsewhere: pip install onnxruntime, then set OPASS_ORT_LIBRARY to its\n"
          "  capi/libonnxruntime.so.*, or pass --ort-library.\n");
    }
  }
  return library.ok() ? 0 : ExitCode(ErrorCode::kEnvironment);
}

std::function<Result<int>()> Setup(CLI::App&, const Globals& globals) {
  return [&globals] { return Run(globals); };
}

}  // namespace

extern const Command command_doctor;
const Command command_doctor = {
    .name = "doctor",
    .summary = "Say what is missing on this machine",
    .examples = "  opass doctor\n",
    .setup = Setup,
};

}  // namespace opass::cli
