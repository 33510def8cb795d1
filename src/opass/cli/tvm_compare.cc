#include "opass/cli/tvm_compare.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cmath>
#include <memory>

#include "opass/bench/text_table.h"
#include "opass/cli/tvm_command.h"
#include "opass/support/bytes.h"
#include "opass/tvm/load.h"

namespace opass::cli {
namespace {

struct Settings {
  TvmModelOptions model;
  tvm::CompareOptions compare;
};

Result<int> Run(Settings& settings, const Globals& globals) {
  OPASS_RETURN_IF_ERROR(CheckStrategies(settings.compare.strategies));
  settings.compare.run.seed = settings.compare.search.seed;
  OPASS_ASSIGN_OR_RETURN(const tvm::ModelInput model, Resolve(settings.model));
  OPASS_ASSIGN_OR_RETURN(tvm::Session * session, tvm::OpenSession());
  settings.compare.on_stage = StagePrinter(globals);
  OPASS_ASSIGN_OR_RETURN(const tvm::Comparison comparison,
                         tvm::CompareModel(*session, model, settings.compare));
  if (globals.json) {
    Json json{{"model", settings.model.model}};
    json.update(ComparisonJson(comparison));
    fmt::print("{}\n", json.dump(2, ' ', false, Json::error_handler_t::replace));
  } else {
    fmt::print("{}, {} bindings, Apache TVM {}\n\n{}", settings.model.model,
               comparison.num_bindings, comparison.tvm_version, ComparisonText(comparison));
  }
  return 0;
}

}  // namespace

std::string ComparisonText(const tvm::Comparison& comparison) {
  bench::TextTable table({"compiled by", "planned", "of default", "storages", "live peak",
                          "hidden workspace", "high water", "time", "outputs"});
  for (const tvm::ComparedRow& row : comparison.rows) {
    const auto planned = static_cast<double>(row.planned_bytes);
    const auto of = static_cast<double>(comparison.rows.front().planned_bytes);
    table.Add({row.name, std::to_string(row.planned_bytes),
               of > 0 ? fmt::format("{:.3f}x", planned / of) : "-",
               std::to_string(row.num_storages), std::to_string(row.live_peak_bytes),
               std::to_string(row.workspace_bytes), std::to_string(row.high_water_bytes),
               fmt::format("{:.2f} ms", row.seconds * 1e3), DifferenceText(row.difference)});
  }
  std::string text = table.ToString();
  text +=
      "\nBytes, without graph inputs, outputs and weights. Hidden workspace: scratch of the\n"
      "largest kernel, in no plan. High water: all that a run had allocated, measured.\n";
  for (const tvm::ComparedRow& row : comparison.rows) {
    const bool is_told = row.passes.empty() || row.name.ends_with(" + OPassMem");
    if (!is_told) text += fmt::format("{}: {}\n", row.name, fmt::join(row.passes, ", "));
  }
  for (const std::string& note : comparison.notes) text += fmt::format("note: {}\n", note);
  return text;
}

std::string DifferenceText(const tvm::Difference& difference) {
  return difference.is_bit_equal ? "bit-equal" : fmt::format("{:.2g}", difference.max_absolute);
}

Json RowJson(const tvm::ComparedRow& row) {
  const double difference = row.difference.max_absolute;
  return {{"name", row.name},
          {"planned_bytes", row.planned_bytes},
          {"num_storages", row.num_storages},
          {"live_peak_bytes", row.live_peak_bytes},
          {"workspace_bytes", row.workspace_bytes},
          {"high_water_bytes", row.high_water_bytes},
          {"seconds", row.seconds},
          {"bit_equal", row.difference.is_bit_equal},
          {"max_absolute_difference", std::isfinite(difference) ? Json(difference) : Json()},
          {"passes", row.passes}};
}

Json ComparisonJson(const tvm::Comparison& comparison) {
  Json json{{"tvm_version", comparison.tvm_version},
            {"num_bindings", comparison.num_bindings},
            {"rows", Json::array()},
            {"notes", comparison.notes}};
  for (const tvm::ComparedRow& row : comparison.rows) json["rows"].push_back(RowJson(row));
  return json;
}

std::function<Result<int>()> SetupTvmCompare(CLI::App& app, const Globals& globals) {
  auto settings = std::make_shared<Settings>();
  AddTvmModel(app, settings->model);
  settings->compare.run.num_runs = 5;
  app.add_option("--runs", settings->compare.run.num_runs, "timed runs; the median counts")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  AddTvmSearch(app, settings->compare.search);
  app.add_option("--strategies", settings->compare.strategies,
                 "searches over TVM's passes (opass list strategies); 'none': none")
      ->delimiter(',')
      ->default_val(std::vector<std::string>{"greedy", "beam", "anneal", "opass"});
  return [settings, &globals] { return Run(*settings, globals); };
}

}  // namespace opass::cli
