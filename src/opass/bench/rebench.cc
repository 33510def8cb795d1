// opass bench rebench: the graphs of the paper's evaluation (Relay texts, not part of this project)
// and its two real models.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>

#include "opass/bench/benchmark.h"
#include "opass/bench/page.h"
#include "opass/bench/rebench_correct.h"
#include "opass/bench/rebench_memory.h"
#include "opass/bench/rebench_strategies.h"
#include "opass/bench/rebench_sums.h"
#include "opass/bench/run_parts.h"
#include "opass/support/file.h"

namespace opass::bench {
namespace {

struct Settings {
  RebenchSettings parts;
  std::vector<std::string> chosen;
  std::string output;  // folder for files; empty: none
};

constexpr Part<RebenchSettings> kParts[] = {
    {"correct", "imported and executed: types, shapes and values as TVM has them", RebenchCorrect},
    {"strategies", "what each strategy makes of them, executed: values as TVM has them",
     RebenchStrategies},
    {"sums", "without reuse: the papers' metric and ours", RebenchSums},
    {"memory", "planned: order, passes and both, for two conventions of inputs", RebenchMemory},
};

// Before minutes are spent on what goes into it.
Status MakeFolder(const std::string& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) return InvalidInput("the folder cannot be made: " + error.message(), folder);
  return {};
}

// Every table as CSV, and all of it as a page.
Status WriteFiles(const std::string& folder, const std::vector<PartReport>& reports) {
  for (const PartReport& report : reports) {
    for (const NamedTable& table : report.tables) {
      OPASS_RETURN_IF_ERROR(
          WriteFileAtomically(fmt::format("{}/{}.csv", folder, table.name), table.table.ToCsv()));
    }
  }
  return WriteFileAtomically(folder + "/rebench.html", PageOf("opass on ReBench", reports));
}

Result<int> Run(const Settings& settings, bool json) {
  if (!std::filesystem::is_directory(settings.parts.folder)) {
    return InvalidInput("not a folder", settings.parts.folder, "the one with 01.relay in it");
  }
  if (ChosenGraphs(settings.parts).empty()) {
    return InvalidInput("no graph has such a name", "--only",
                        "01 to 36, transformer, resnet18_train");
  }
  if (!settings.output.empty()) OPASS_RETURN_IF_ERROR(MakeFolder(settings.output));
  std::vector<PartReport> reports;
  OPASS_ASSIGN_OR_RETURN(const int code,
                         RunParts(kParts, settings.chosen, settings.parts, json, &reports));
  if (!settings.output.empty()) OPASS_RETURN_IF_ERROR(WriteFiles(settings.output, reports));
  return code;
}

std::function<Result<int>()> Setup(CLI::App& app, const bool& json) {
  auto settings = std::make_shared<Settings>();
  app.add_option("folder", settings->parts.folder, "folder of the Relay texts")->required();
  app.add_option("--part", settings->chosen, "correct, strategies, sums, memory; default: all")
      ->delimiter(',')
      ->check(CLI::IsMember(NamesOf(kParts)));
  app.add_option("--only", settings->parts.only, "names of graphs: 05, transformer; default: all")
      ->delimiter(',');
  app.add_option("-o,--output", settings->output,
                 "folder for the tables as CSV and for rebench.html, a page with plots");
  app.add_option("--evaluations", settings->parts.evaluations,
                 "graphs that a search over passes may schedule")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app.add_option("--model-evaluations", settings->parts.model_evaluations,
                 "the same of the transformer and of resnet18_train")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  return [settings, &json] { return Run(*settings, json); };
}

}  // namespace

extern const Benchmark benchmark_rebench;
const Benchmark benchmark_rebench = {
    .name = "rebench",
    .summary = "The paper's graphs, a folder of Relay texts, against their execution in TVM",
    .examples =
        "  opass bench rebench rebench --part correct\n"
        "  opass bench rebench rebench --part sums,memory -o tables\n"
        "  opass bench rebench rebench --only 05,transformer --json\n",
    .setup = Setup,
};

}  // namespace opass::bench
