// opass bench strategies: every strategy on every model of a folder, on equal evaluations, and
// what each idea of `opass` is worth. A goal is missed when another strategy finds a lower peak.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>

#include "opass/bench/benchmark.h"
#include "opass/bench/model_folder.h"
#include "opass/bench/search_case.h"
#include "opass/bench/text_table.h"
#include "opass/orchestrator/strategies/strategy.h"
#include "opass/support/interrupt.h"
#include "opass/support/json.h"

namespace opass::bench {
namespace {

struct Settings {
  std::string folder = "models";
  std::vector<std::string> only;
  std::vector<std::string> strategies;
  bool ablation = false;
  SearchSetting search;
};

struct Column {
  std::string heading;
  SearchSetting setting;
};

struct Row {
  std::string name;
  std::size_t num_ops = 0;
  std::vector<SearchRun> runs;  // by column
};

std::vector<Column> Columns(const Settings& settings) {
  std::vector<Column> columns;
  const auto add = [&](std::string heading, SearchSetting setting) {
    columns.push_back({std::move(heading), std::move(setting)});
  };
  SearchSetting setting = settings.search;
  setting.strategy = "opass";
  add("opass", setting);
  if (settings.ablation) {
    SearchSetting off = setting;
    off.implicit_effects = false;
    add("no implicit", off);
    off = setting;
    off.macros = false;
    add("no macros", off);
    off = setting;
    off.norm = false;
    add("no p-norm", off);
    off = setting;
    off.staging = false;
    add("no staging", off);
    return columns;
  }
  for (const orchestrator::Strategy& strategy : orchestrator::Strategies()) {
    setting.strategy = strategy.name;
    const bool wanted =
        settings.strategies.empty() || std::ranges::count(settings.strategies, strategy.name) > 0;
    if (wanted && strategy.name != "opass") add(setting.strategy, setting);
  }
  return columns;
}

std::int64_t Peak(const SearchRun& run) { return run.found.cost.peak_bytes; }

bool IsBest(const Row& row) {
  return std::ranges::all_of(row.runs,
                             [&](const SearchRun& run) { return Peak(row.runs[0]) <= Peak(run); });
}

double MedianSeconds(const std::vector<Row>& rows, std::size_t column, std::size_t max_ops) {
  std::vector<double> seconds;
  for (const Row& row : rows) {
    if (row.num_ops <= max_ops) seconds.push_back(row.runs[column].seconds);
  }
  if (seconds.empty()) return 0;
  std::ranges::sort(seconds);
  return seconds[seconds.size() / 2];
}

// Peak in KiB, the evaluation that found it, of how many, and seconds.
std::string Cell(const SearchRun& run) {
  return fmt::format("{} ({}/{}, {:.1f} s)", Kib(Peak(run)), run.best_at,
                     run.found.counts.evaluations, run.seconds);
}

void PrintText(const std::vector<Column>& columns, const std::vector<Row>& rows) {
  std::vector<std::string> headings = {"model", "ops", "arena"};
  for (const Column& column : columns) headings.push_back(column.heading);
  TextTable table(headings);
  for (const Row& row : rows) {
    std::vector<std::string> cells = {row.name, std::to_string(row.num_ops),
                                      Kib(row.runs[0].arena_bytes)};
    for (const SearchRun& run : row.runs) cells.push_back(Cell(run));
    table.Add(std::move(cells));
  }
  fmt::print("Searches over passes on {} models\n\n{}\n", rows.size(), table.ToString());
  fmt::print("KiB (found at evaluation / evaluations, seconds of the search)\n");
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const auto num_best = std::ranges::count_if(rows, [&](const Row& row) {
      return std::ranges::all_of(
          row.runs, [&](const SearchRun& run) { return Peak(row.runs[i]) <= Peak(run); });
    });
    fmt::print("{}: best or equal on {} of {}, median {:.2f} s up to 500 operators\n",
               columns[i].heading, num_best, rows.size(), MedianSeconds(rows, i, 500));
  }
}

void PrintJson(const std::vector<Column>& columns, const std::vector<Row>& rows) {
  Json all = Json::array();
  for (const Row& row : rows) {
    Json json{{"model", row.name}, {"ops", row.num_ops}};
    for (std::size_t i = 0; i < columns.size(); ++i) {
      const SearchRun& run = row.runs[i];
      json["runs"].push_back({{"strategy", columns[i].heading},
                              {"peak_bytes", Peak(run)},
                              {"arena_bytes", run.arena_bytes},
                              {"found_at", run.best_at},
                              {"evaluations", run.found.counts.evaluations},
                              {"beyond_bound", run.found.counts.beyond_bound},
                              {"actions", run.found.path.size()},
                              {"seconds", run.seconds}});
    }
    all.push_back(json);
  }
  fmt::print("{}\n", Json{{"models", all}}.dump(2));
}

Result<int> Run(const Settings& settings, bool json) {
  OPASS_ASSIGN_OR_RETURN(const std::vector<ModelFile> files,
                         ModelFiles(settings.folder, settings.only));
  const std::vector<Column> columns = Columns(settings);
  std::vector<Row> rows;
  for (const ModelFile& file : files) {
    if (Interrupted()) break;
    fmt::print(stderr, "{} ...\n", file.name);
    OPASS_ASSIGN_OR_RETURN(const SearchCase read, ReadSearchCase(file));
    Row row{read.name, read.model.graph.order.size(), {}};
    for (const Column& column : columns) {
      OPASS_ASSIGN_OR_RETURN(SearchRun run, RunSearch(read, column.setting));
      row.runs.push_back(std::move(run));
    }
    rows.push_back(std::move(row));
  }
  json ? PrintJson(columns, rows) : PrintText(columns, rows);
  return std::ranges::all_of(rows, IsBest) ? 0 : ExitCode(ErrorCode::kRefused);
}

std::function<Result<int>()> Setup(CLI::App& app, const bool& json) {
  auto settings = std::make_shared<Settings>();
  std::vector<std::string> names;
  for (const auto& strategy : orchestrator::Strategies()) names.emplace_back(strategy.name);
  app.add_option("folder", settings->folder, "folder of ONNX models")->capture_default_str();
  app.add_option("--only", settings->only, "names of models")->delimiter(',');
  app.add_option("--strategies", settings->strategies, "compare opass with these only")
      ->delimiter(',')
      ->check(CLI::IsMember(names));
  app.add_option("--evaluations", settings->search.evaluations, "as of optimize")
      ->capture_default_str();
  app.add_option("--seed", settings->search.seed, "as of optimize")->capture_default_str();
  app.add_flag("--ablation", settings->ablation,
               "opass with implicit effects, macros, p-norm or staging off instead");
  return [settings, &json] { return Run(*settings, json); };
}

}  // namespace

extern const Benchmark benchmark_strategies;
const Benchmark benchmark_strategies = {
    .name = "strategies",
    .summary = "Searches over passes: every strategy on every model of a folder",
    .examples =
        "  opass bench strategies models\n"
        "  opass bench strategies models --ablation --evaluations 100\n",
    .setup = Setup,
};

}  // namespace opass::bench
