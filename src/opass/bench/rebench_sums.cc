#include "opass/bench/rebench_sums.h"

#include <fmt/format.h>

#include <optional>
#include <string_view>

#include "opass/bench/rebench_figures.h"
#include "opass/bench/rebench_published.h"
#include "opass/bench/rebench_recount.h"
#include "opass/bench/statistics.h"
#include "opass/support/file.h"
#include "opass/support/interrupt.h"

namespace opass::bench {
namespace {

constexpr double kMib = 1024.0 * 1024.0;
constexpr const char* kMethods[] = {"Origin", "Default", "Greedy", "Beam", "SA", "Transfer"};

struct Row {
  GraphFigures figures;
  std::optional<Recount> recount;
};

// Whole bytes without a fraction, eighths with it.
std::string Bytes(double bytes) { return fmt::format("{}", bytes); }
std::string BytesOfBits(std::int64_t bits) { return Bytes(static_cast<double>(bits) / 8); }

std::string PublishedText(const Published& published, const std::string& graph,
                          const std::string& method) {
  const auto mib = published.Mib("static", graph, method);
  if (!mib) return "-";
  const bool changes = published.ChangesPrecision("static", graph, method);
  return Bytes(*mib * kMib) + (changes ? " *" : "");
}

NamedTable Sums(const std::vector<Row>& rows, const Published& published) {
  TextTable table({"graph", "Origin", "Default", "Greedy", "Beam", "SA", "OPass", "ours", "shared",
                   "opass", "opass shared", "its constants"});
  for (const Row& row : rows) {
    std::vector<std::string> cells = {row.figures.graph};
    for (const char* method : kMethods) {
      cells.push_back(PublishedText(published, row.figures.graph, method));
    }
    cells.push_back(std::to_string(row.figures.sums.sum_bytes));
    cells.push_back(std::to_string(row.figures.of(Way::kFileOrder).shared_bytes));
    cells.push_back(std::to_string(row.figures.of(Way::kBoth).sum_bytes));
    cells.push_back(std::to_string(row.figures.of(Way::kBoth).shared_bytes));
    cells.push_back(std::to_string(row.figures.of(Way::kBoth).constant_bytes));
    table.Add(std::move(cells));
  }
  return {"sums", "Sums without reuse, in bytes: published, and ours", std::move(table)};
}

BarPlot PublishedPlot(const std::vector<Row>& rows, const Published& published) {
  BarPlot plot;
  plot.title = "Published: saved of Origin, by the papers' metric";
  plot.unit = " %";
  plot.series = {"Default", "Greedy", "Beam", "SA", "OPass"};
  for (const Row& row : rows) {
    const auto origin = published.Mib("static", row.figures.graph, "Origin");
    if (!origin) continue;
    BarPlot::Row bars{row.figures.graph, {}};
    for (const char* method : kMethods) {
      if (std::string_view(method) == "Origin") continue;
      const auto mib = published.Mib("static", row.figures.graph, method);
      bars.values.push_back(mib ? 100 - 100 * *mib / *origin : 0);
    }
    plot.rows.push_back(std::move(bars));
  }
  return plot;
}

// Equal to the last bit, where something is published.
std::optional<bool> IsEqual(const Row& row, const Published& published) {
  const auto mib = published.Mib("static", row.figures.graph, "Origin");
  if (!mib || !row.recount) return std::nullopt;
  return *mib * kMib * 8 == static_cast<double>(row.recount->bits);
}

NamedTable Counts(const std::vector<Row>& rows, const Published& published) {
  TextTable table({"graph", "Origin", "recounted", "equal", "+ not reached", "- literals",
                   "+ booleans", "= ours"});
  for (const Row& row : rows) {
    std::vector<std::string> cells = {row.figures.graph,
                                      PublishedText(published, row.figures.graph, "Origin")};
    if (row.recount) {
      const auto equal = IsEqual(row, published);
      cells.push_back(BytesOfBits(row.recount->bits));
      cells.push_back(!equal ? "-" : *equal ? "yes" : "NO");
      cells.push_back(BytesOfBits(row.recount->unreached_bits));
      cells.push_back(BytesOfBits(row.recount->literal_bits));
      cells.push_back(BytesOfBits(row.recount->boolean_bits));
    } else {
      cells.insert(cells.end(), 5, "-");
    }
    cells.push_back(std::to_string(row.figures.sums.sum_bytes));
    table.Add(std::move(cells));
  }
  return {"counts", "Where the counts of the unoptimised graphs differ, in bytes",
          std::move(table)};
}

// On how many graphs a profiler's Origin is below the results that operators compute, which all
// live at the end.
std::string NoPeaks(const std::vector<Row>& rows, const Published& published,
                    const std::string& profiler) {
  std::string names;
  int num_below = 0;
  int num_all = 0;
  for (const Row& row : rows) {
    const auto mib = published.Mib(profiler, row.figures.graph, "Origin");
    if (!mib || !row.recount) continue;
    ++num_all;
    if (*mib * kMib * 8 >= static_cast<double>(row.recount->result_bits)) continue;
    ++num_below;
    names += " " + row.figures.graph;
  }
  if (num_all == 0) return "";
  return fmt::format(
      "{}: on {} of {} graphs Origin is below the bytes of the graph's own results:\n {}\n",
      profiler, num_below, num_all, names);
}

std::string Means(const std::vector<Row>& rows, const Published& published) {
  std::vector<double> saved;
  std::vector<double> saved_shared;
  for (const Row& row : rows) {
    const auto sum = static_cast<double>(row.figures.sums.sum_bytes);
    if (!IsReBench(row.figures.graph) || sum == 0) continue;
    const Planned& both = row.figures.of(Way::kBoth);
    saved.push_back(100 - 100 * static_cast<double>(both.sum_bytes) / sum);
    saved_shared.push_back(100 - 100 * static_cast<double>(both.shared_bytes) / sum);
  }
  if (saved.empty()) return "";
  std::string text = "Mean saved, without reuse:";
  for (const char* method : {"Default", "Greedy", "Beam", "SA", "Transfer"}) {
    const std::vector<double> of_method = published.SavedPercent("static", method);
    if (of_method.empty()) continue;
    text += fmt::format(" {} {:.1f} %,", method, MeanOf(of_method));
  }
  return text +
         fmt::format(" opass {:.1f} %, shared {:.1f} %\n", MeanOf(saved), MeanOf(saved_shared));
}

constexpr const char* kNotes =
    "OPass: the artifact's method Transfer. *: the sequence changes precision (ToMixedPrecision "
    "or\n"
    "FakeQuantizationToInteger); opass's result is lossless. ours: parameters and results of "
    "operators of the Relay text,\neach once. shared: what views hold, and what is written over a "
    "dying input in file order, is counted once; of the\nONNX operators, which are finer than "
    "Relay's: a qnn.quantize is a chain of eight. opass: the same of the graph that\nis planned, "
    "whose search minimises the peak and not this sum; its constants aside.\n"
    "recounted: by the papers' metric, from the text. Not reached: parameters of which only the "
    "shape is read, what folds\naway, and bindings that nobody reads; they count here and not "
    "there. Literals count there and not here. Booleans are\nbits there and bytes here.\n";

constexpr const char* kNoPeaks =
    "The published columns hmcos and serenity are estimates, and no peaks that a run could have. "
    "Results all live at the\nend; counted are those that operators compute, each once, booleans "
    "as bits:\n";

Json JsonOf(const Row& row) {
  const Planned& both = row.figures.of(Way::kBoth);
  Json json{{"graph", row.figures.graph},
            {"sum_bytes", row.figures.sums.sum_bytes},
            {"shared_bytes", row.figures.of(Way::kFileOrder).shared_bytes},
            {"opass_sum_bytes", both.sum_bytes},
            {"opass_shared_bytes", both.shared_bytes},
            {"opass_constant_bytes", both.constant_bytes}};
  if (row.recount) {
    json["recount"] = {{"bits", row.recount->bits},
                       {"unreached_bits", row.recount->unreached_bits},
                       {"literal_bits", row.recount->literal_bits},
                       {"boolean_bits", row.recount->boolean_bits},
                       {"result_bits", row.recount->result_bits}};
  }
  return json;
}

Result<Row> MeasureRow(const RebenchSettings& settings, const std::string& graph) {
  constexpr Way kWanted[] = {Way::kOrder, Way::kBoth};
  Row row;
  OPASS_ASSIGN_OR_RETURN(row.figures,
                         MeasureGraph(settings, graph, memory::InputArrival::kResident, kWanted));
  const std::string path = settings.folder + "/" + graph + ".relay";
  OPASS_ASSIGN_OR_RETURN(const std::string text, ReadFile(path));
  OPASS_ASSIGN_OR_RETURN(row.recount, RecountText(text, path));
  return row;
}

}  // namespace

Result<PartReport> RebenchSums(const RebenchSettings& settings) {
  OPASS_ASSIGN_OR_RETURN(const Published published, Published::Read(settings.folder));
  std::vector<Row> rows;
  PartReport report;
  report.json = Json::array();
  for (const std::string& graph : ChosenGraphs(settings)) {
    if (InterruptedByUser()) return Error{ErrorCode::kInterrupted, "interrupted", "", "", ""};
    OPASS_ASSIGN_OR_RETURN(Row row, MeasureRow(settings, graph));
    if (IsEqual(row, published) == false) {
      report.missed.push_back(graph + ": recounted, the published Origin is another");
    }
    report.json.push_back(JsonOf(row));
    rows.push_back(std::move(row));
  }
  report.tables.push_back(Sums(rows, published));
  report.tables.push_back(Counts(rows, published));
  for (const NamedTable& table : report.tables) {
    report.text += fmt::format("{}\n\n{}\n", table.title, table.table.ToString());
  }
  report.plots.push_back(PublishedPlot(rows, published));
  report.notes = kNotes + ("\n" + Means(rows, published));
  const std::string no_peaks =
      NoPeaks(rows, published, "hmcos") + NoPeaks(rows, published, "serenity");
  if (!no_peaks.empty()) report.notes += "\n" + (kNoPeaks + no_peaks);
  report.text += report.notes;
  return report;
}

}  // namespace opass::bench
