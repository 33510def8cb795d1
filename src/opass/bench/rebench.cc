// opass bench rebench: the graphs of the paper's evaluation (Relay texts, not part of this project)
// and its two real models.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <memory>

#include "opass/bench/benchmark.h"
#include "opass/bench/rebench_correct.h"

namespace opass::bench {
namespace {

struct Settings {
  RebenchSettings parts;
  std::vector<std::string> chosen;
};

struct Part {
  const char* name;
  const char* title;
  Result<PartReport> (*run)(const RebenchSettings& settings);
};
constexpr Part kParts[] = {
    {"correct", "imported and executed: types, shapes and values as TVM has them", RebenchCorrect},
};

Result<int> Run(const Settings& settings, bool json) {
  if (!std::filesystem::is_directory(settings.parts.folder)) {
    return InvalidInput("not a folder", settings.parts.folder, "the one with 01.relay in it");
  }
  if (ChosenGraphs(settings.parts).empty()) {
    return InvalidInput("no graph has such a name", "--only",
                        "01 to 36, transformer, resnet18_train");
  }
  Json all;
  std::vector<std::string> missed;
  for (const Part& part : kParts) {
    if (!settings.chosen.empty() && std::ranges::count(settings.chosen, part.name) == 0) continue;
    OPASS_ASSIGN_OR_RETURN(PartReport report, part.run(settings.parts));
    if (!json) fmt::print("{}\n\n{}\n", part.title, report.text);
    all[part.name] = std::move(report.json);
    missed.insert(missed.end(), report.missed.begin(), report.missed.end());
  }
  all["missed"] = missed;
  if (json) {
    fmt::print("{}\n", all.dump(2));
  } else {
    for (const std::string& goal : missed) fmt::print("missed: {}\n", goal);
  }
  return missed.empty() ? 0 : ExitCode(ErrorCode::kRefused);
}

std::function<Result<int>()> Setup(CLI::App& app, const bool& json) {
  auto settings = std::make_shared<Settings>();
  std::vector<std::string> names;
  for (const Part& part : kParts) names.emplace_back(part.name);
  app.add_option("folder", settings->parts.folder, "folder of the Relay texts")->required();
  app.add_option("--part", settings->chosen, "correct; default: all")
      ->delimiter(',')
      ->check(CLI::IsMember(names));
  app.add_option("--only", settings->parts.only, "names of graphs: 05, transformer; default: all")
      ->delimiter(',');
  return [settings, &json] { return Run(*settings, json); };
}

}  // namespace

extern const Benchmark benchmark_rebench;
const Benchmark benchmark_rebench = {
    .name = "rebench",
    .summary = "The paper's graphs, a folder of Relay texts, against their execution in TVM",
    .examples =
        "  opass bench rebench rebench --part correct\n"
        "  opass bench rebench rebench --only 05,transformer --json\n",
    .setup = Setup,
};

}  // namespace opass::bench
