// opass bench lookahead: small graphs on which a search must look ahead
// (tools/models/gen_lookahead.py). A goal is missed when `opass` needs more than is known to do.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <array>
#include <memory>

#include "opass/bench/benchmark.h"
#include "opass/bench/model_folder.h"
#include "opass/bench/search_case.h"
#include "opass/bench/text_table.h"
#include "opass/support/json.h"

namespace opass::bench {
namespace {

struct Goal {
  const char* model;
  std::int64_t kib;
};
constexpr auto kGoals = std::to_array<Goal>({{"l1_concat_conv", 1280},
                                             {"l2_transposes", 512},
                                             {"l5_long_skip", 1600},
                                             {"l6_relu_pool", 640},
                                             {"l7_reassociate", 100},
                                             {"l8_cse_hurts", 2176}});
// What graphs carry beside the activations counted in the goals: scalars and small vectors.
constexpr std::int64_t kSlackBytes = 256;

struct Settings {
  std::string folder = "models";
  SearchSetting search;
};

struct Row {
  Goal goal;
  SearchRun none, greedy, opass;

  bool is_met() const { return opass.found.cost.peak_bytes <= goal.kib * 1024 + kSlackBytes; }
};

Result<Row> RunGoal(const Goal& goal, const Settings& settings) {
  OPASS_ASSIGN_OR_RETURN(const std::vector<ModelFile> files,
                         ModelFiles(settings.folder, {goal.model}));
  OPASS_ASSIGN_OR_RETURN(const SearchCase read, ReadSearchCase(files.front()));
  Row row{goal, {}, {}, {}};
  SearchSetting setting = settings.search;
  setting.strategy = "none";
  OPASS_ASSIGN_OR_RETURN(row.none, RunSearch(read, setting));
  setting.strategy = "greedy";
  OPASS_ASSIGN_OR_RETURN(row.greedy, RunSearch(read, setting));
  setting.strategy = "opass";
  OPASS_ASSIGN_OR_RETURN(row.opass, RunSearch(read, setting));
  return row;
}

Json ToJson(const Row& row) {
  return {{"model", row.goal.model},
          {"goal_bytes", row.goal.kib * 1024},
          {"none_bytes", row.none.found.cost.peak_bytes},
          {"greedy_bytes", row.greedy.found.cost.peak_bytes},
          {"greedy_evaluations", row.greedy.found.counts.evaluations},
          {"opass_bytes", row.opass.found.cost.peak_bytes},
          {"opass_found_at", row.opass.best_at},
          {"opass_evaluations", row.opass.found.counts.evaluations},
          {"met", row.is_met()}};
}

Result<int> Run(const Settings& settings, bool json) {
  TextTable table({"model", "goal", "no passes", "greedy", "evaluations", "opass", "found at",
                   "evaluations", "met"});
  Json all = Json::array();
  bool all_met = true;
  for (const Goal& goal : kGoals) {
    OPASS_ASSIGN_OR_RETURN(const Row row, RunGoal(goal, settings));
    all_met = all_met && row.is_met();
    all.push_back(ToJson(row));
    table.Add({goal.model, std::to_string(goal.kib), Kib(row.none.found.cost.peak_bytes),
               Kib(row.greedy.found.cost.peak_bytes),
               std::to_string(row.greedy.found.counts.evaluations),
               Kib(row.opass.found.cost.peak_bytes), std::to_string(row.opass.best_at),
               std::to_string(row.opass.found.counts.evaluations), row.is_met() ? "yes" : "NO"});
  }
  if (json) {
    fmt::print("{}\n", Json{{"models", all}}.dump(2));
  } else {
    fmt::print("Graphs on which a search must look ahead\n\n{}\nKiB\n", table.ToString());
  }
  return all_met ? 0 : ExitCode(ErrorCode::kRefused);
}

std::function<Result<int>()> Setup(CLI::App& app, const bool& json) {
  auto settings = std::make_shared<Settings>();
  app.add_option("folder", settings->folder, "folder with the models")->capture_default_str();
  app.add_option("--evaluations", settings->search.evaluations, "as of optimize")
      ->capture_default_str();
  app.add_option("--seed", settings->search.seed, "as of optimize")->capture_default_str();
  return [settings, &json] { return Run(*settings, json); };
}

}  // namespace

extern const Benchmark benchmark_lookahead;
const Benchmark benchmark_lookahead = {
    .name = "lookahead",
    .summary = "Searches over passes: graphs on which the best first step saves nothing",
    .examples = "  opass bench lookahead models\n",
    .setup = Setup,
};

}  // namespace opass::bench
