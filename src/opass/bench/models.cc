// opass bench models: every ONNX model of a folder through the main job. A goal is missed when a
// model fails, is not verified, or needs more than its file order.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <map>
#include <memory>

#include "opass/bench/benchmark.h"
#include "opass/bench/csv.h"
#include "opass/bench/model_folder.h"
#include "opass/bench/text_table.h"
#include "opass/opass.h"
#include "opass/reports/report.h"
#include "opass/support/bytes.h"
#include "opass/support/interrupt.h"
#include "opass/support/json.h"

namespace opass::bench {
namespace {

struct Settings {
  std::string folder = "models";
  std::vector<std::string> only;
  std::int64_t alignment = 0;
  std::string target = "generic";
  bool no_views = false;
  bool no_sharing = false;
  bool no_verify = false;
  std::string fold_growth;
  std::string reference;
};

// Published peaks by model name: the columns `model` and `hmcos` of a CSV file; none without one.
Result<std::map<std::string, std::int64_t>> ReadReference(const std::string& path) {
  std::map<std::string, std::int64_t> peaks;
  if (path.empty()) return peaks;
  OPASS_ASSIGN_OR_RETURN(const std::vector<CsvRow> rows, ReadCsv(path));
  for (const CsvRow& row : rows) {
    const auto name = row.find("model");
    const auto peak = NumberOf(row, "hmcos");
    if (name != row.end() && peak) peaks[name->second] = *peak;
  }
  return peaks;
}

struct Row {
  std::string name;
  std::string error;  // empty: the figures are there
  reports::Report report;
};

Options OptionsOf(const Settings& settings) {
  Options options;
  options.alignment = settings.alignment;
  options.target = settings.target;
  options.verify = !settings.no_verify;
  options.sharing.view = !settings.no_views && !settings.no_sharing;
  options.sharing.in_place = !settings.no_sharing;
  return options;
}

std::string VerifiedText(const Row& row) {
  const auto& verified = row.report.verification.verified;
  if (!verified) return "-";
  return *verified ? "yes" : "NO";
}

std::vector<std::string> Cells(const Row& row, const std::map<std::string, std::int64_t>& peaks) {
  if (!row.error.empty()) return {row.name, row.error};
  const reports::Report& report = row.report;
  const reports::Figures& after = report.after;
  const std::int64_t peak = after.peak_bytes.value_or(0);
  const std::int64_t file_order = report.before.file_order_peak_bytes;
  const double saved = file_order == 0 ? 0
                                       : 100.0 * static_cast<double>(peak - file_order) /
                                             static_cast<double>(file_order);
  std::vector<std::string> cells = {
      row.name,
      std::to_string(report.before.num_ops),
      std::to_string(after.num_ops),
      std::to_string(report.before.sum_bytes),
      std::to_string(file_order),
      std::to_string(peak),
      fmt::format("{:+.1f} %", saved),
      std::to_string(after.arena_bytes.value_or(0)),
      std::to_string(after.lower_bound_bytes.value_or(0)),
      report.proven_optimal
          ? "proven"
          : fmt::format("{:.2f} %", 100 * reports::Gap(peak, after.lower_bound_bytes.value_or(0))),
      std::to_string(after.weights_bytes),
      report.verification.scratch_bytes ? std::to_string(*report.verification.scratch_bytes) : "-",
      VerifiedText(row),
      report.verification.max_abs_error ? fmt::format("{:g}", *report.verification.max_abs_error)
                                        : "-",
  };
  for (const char* stage : {"passes", "plan", "verify"}) {
    double seconds = 0;
    for (const auto& [name, time] : report.seconds) seconds += name == stage ? time : 0;
    cells.push_back(fmt::format("{:.2f}", seconds));
  }
  if (!peaks.empty()) {
    const auto found = peaks.find(row.name);
    cells.push_back(found == peaks.end() ? "-" : std::to_string(found->second));
  }
  return cells;
}

bool Misses(const Row& row, bool verify) {
  if (!row.error.empty()) return true;
  const reports::Figures& after = row.report.after;
  if (after.peak_bytes.value_or(0) > row.report.before.file_order_peak_bytes) return true;
  return verify && row.report.verification.verified != true;
}

void PrintText(const std::vector<Row>& rows, const std::map<std::string, std::int64_t>& peaks,
               bool verify) {
  std::vector<std::string> headings = {
      "model",    "ops before", "ops",      "sum",    "file order", "peak",
      "saved",    "arena",      "bound",    "gap",    "weights",    "scratch",
      "verified", "max error",  "passes s", "plan s", "verify s"};
  if (!peaks.empty()) headings.push_back("published");
  TextTable table(headings);
  int num_missed = 0;
  int num_equal_arena = 0;
  int num_reached = 0;
  int num_published = 0;
  for (const Row& row : rows) {
    table.Add(Cells(row, peaks));
    num_missed += Misses(row, verify) ? 1 : 0;
    num_equal_arena += row.report.after.arena_bytes == row.report.after.peak_bytes ? 1 : 0;
    const auto found = peaks.find(row.name);
    if (found == peaks.end()) continue;
    ++num_published;
    num_reached += row.report.after.peak_bytes.value_or(INT64_MAX) <= found->second ? 1 : 0;
  }
  fmt::print("{}\n{} models, {} missed a goal; arena equals peak on {}\n", table.ToString(),
             rows.size(), num_missed, num_equal_arena);
  if (num_published > 0) {
    fmt::print("at or below the published peak: {} of {}\n", num_reached, num_published);
  }
}

Result<int> Run(const Settings& settings, bool json) {
  Options options = OptionsOf(settings);
  if (settings.fold_growth == "unlimited") {
    options.fold_growth_bytes = kMaxBytes;
  } else if (!settings.fold_growth.empty()) {
    OPASS_ASSIGN_OR_RETURN(options.fold_growth_bytes, ParseBytes(settings.fold_growth));
  }
  OPASS_ASSIGN_OR_RETURN(const std::vector<ModelFile> files,
                         ModelFiles(settings.folder, settings.only));
  OPASS_ASSIGN_OR_RETURN(const auto published, ReadReference(settings.reference));
  std::vector<Row> rows;
  for (const ModelFile& file : files) {
    if (Interrupted()) break;
    Row row;
    row.name = file.name;
    options.bindings = file.bindings;
    fmt::print(stderr, "{} ...\n", row.name);
    auto outcome = Optimize(file.path.string(), options);
    if (outcome.ok()) {
      row.report = std::move(outcome->report);
    } else {
      row.error = outcome.error().ToString();
    }
    rows.push_back(std::move(row));
  }
  if (json) {
    Json all = Json::array();
    for (const Row& row : rows) {
      all.push_back(row.error.empty() ? Json::parse(reports::JsonText(row.report))
                                      : Json{{"model", row.name}, {"error", row.error}});
    }
    fmt::print("{}\n", Json{{"models", all}}.dump(2));
  } else {
    PrintText(rows, published, options.verify);
  }
  const bool missed =
      std::ranges::any_of(rows, [&](const Row& row) { return Misses(row, options.verify); });
  return missed ? ExitCode(ErrorCode::kRefused) : 0;
}

std::function<Result<int>()> Setup(CLI::App& app, const bool& json) {
  auto settings = std::make_shared<Settings>();
  app.add_option("folder", settings->folder, "folder of ONNX models")->capture_default_str();
  app.add_option("--only", settings->only, "names of models")->delimiter(',');
  app.add_option("--alignment", settings->alignment, "as of optimize");
  app.add_option("--target", settings->target, "as of optimize")->capture_default_str();
  app.add_flag("--no-views", settings->no_views, "share storage in place only");
  app.add_flag("--no-sharing", settings->no_sharing, "share no storage");
  app.add_flag("--no-verify", settings->no_verify, "do not execute");
  app.add_option("--fold-growth", settings->fold_growth, "as of optimize");
  app.add_option("--reference", settings->reference,
                 "CSV with columns model and hmcos: published peaks to compare with");
  return [settings, &json] { return Run(*settings, json); };
}

}  // namespace

extern const Benchmark benchmark_models;
const Benchmark benchmark_models = {
    .name = "models",
    .summary = "Every model of a folder through the main job",
    .examples =
        "  opass bench models models\n"
        "  opass bench models models --alignment 1 --no-views --no-verify \\\n"
        "    --reference docs/benchmarks/hmcos_reference.csv\n",
    .setup = Setup,
};

}  // namespace opass::bench
