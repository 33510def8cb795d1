#include "opass/bench/rebench_memory.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "opass/bench/rebench_figures.h"
#include "opass/bench/rebench_published.h"
#include "opass/bench/statistics.h"
#include "opass/reports/report.h"
#include "opass/support/interrupt.h"

namespace opass::bench {
namespace {

using memory::InputArrival;

// What the whole suite must reach.
constexpr double kMaxMedianSeconds = 1;
constexpr double kMaxSumSeconds = 45;
constexpr double kMaxModelSeconds = 30;

struct Convention {
  InputArrival inputs;
  const char* name;         // as of --inputs
  double least_mean_saved;  // percent
};
constexpr Convention kConventions[] = {
    {InputArrival::kResident, "resident", 55},
    {InputArrival::kFirstUse, "first-use", 62},
};

std::string Percent(double percent) { return fmt::format("{:.1f} %", percent); }

// The peak; with the arena where that is larger.
std::string Cell(const Planned& planned) {
  if (planned.peak_bytes == planned.arena_bytes) return std::to_string(planned.peak_bytes);
  return fmt::format("{} / {}", planned.peak_bytes, planned.arena_bytes);
}

double FloorSavedPercent(const GraphFigures& figures, InputArrival inputs) {
  if (figures.sums.sum_bytes == 0) return 0;
  return 100 - 100 * static_cast<double>(figures.sums.floor_bytes(inputs)) /
                   static_cast<double>(figures.sums.sum_bytes);
}

// All graphs with one convention.
class Suite {
 public:
  explicit Suite(const Convention& convention) : convention_(convention) {}

  Status Measure(const RebenchSettings& settings) {
    for (const std::string& graph : ChosenGraphs(settings)) {
      if (InterruptedByUser()) return Error{ErrorCode::kInterrupted, "interrupted", "", "", ""};
      OPASS_ASSIGN_OR_RETURN(GraphFigures figures,
                             MeasureGraph(settings, graph, convention_.inputs));
      rows_.push_back(std::move(figures));
    }
    return {};
  }

  NamedTable Table() const {
    TextTable table({"graph", "operators", "sum", "file order", "order alone", "passes alone",
                     "both", "bound", "gap", "saved", "floor", "scheduled", "seconds"});
    for (const GraphFigures& row : rows_) {
      const Planned& both = row.of(Way::kBoth);
      table.Add({row.graph, std::to_string(row.num_ops), std::to_string(row.sums.sum_bytes),
                 Cell(row.of(Way::kFileOrder)), Cell(row.of(Way::kOrder)),
                 Cell(row.of(Way::kPasses)), Cell(both), std::to_string(both.bound_bytes),
                 GapText(both), Percent(row.SavedPercent(Way::kBoth)),
                 Percent(FloorSavedPercent(row, convention_.inputs)),
                 std::to_string(both.evaluations), fmt::format("{:.2f}", both.seconds)});
    }
    return {fmt::format("memory_{}", convention_.name),
            fmt::format("Peak in bytes, alignment 1, inputs {}", convention_.name),
            std::move(table)};
  }

  BarPlot Plot() const {
    BarPlot plot;
    plot.title = fmt::format("Saved of the sum without reuse, inputs {}", convention_.name);
    plot.unit = " %";
    for (const Way way : kWays) plot.series.push_back(Name(way));
    plot.series.emplace_back("floor");
    for (const GraphFigures& row : rows_) {
      BarPlot::Row bars{row.graph, {}};
      for (const Way way : kWays) bars.values.push_back(row.SavedPercent(way));
      bars.values.push_back(FloorSavedPercent(row, convention_.inputs));
      plot.rows.push_back(std::move(bars));
    }
    return plot;
  }

  // Of the 36 alone.
  std::vector<double> Saved(Way way) const {
    return OfSuite([&](const GraphFigures& row) { return row.SavedPercent(way); });
  }
  std::vector<double> FloorSaved() const {
    return OfSuite(
        [&](const GraphFigures& row) { return FloorSavedPercent(row, convention_.inputs); });
  }
  std::vector<double> Seconds() const {
    return OfSuite([](const GraphFigures& row) { return row.of(Way::kBoth).seconds; });
  }
  std::vector<double> Evaluations() const {
    return OfSuite([](const GraphFigures& row) {
      return static_cast<double>(row.of(Way::kBoth).evaluations);
    });
  }

  std::string Summary() const {
    const auto num_proven = std::ranges::count_if(
        rows_, [](const GraphFigures& row) { return row.of(Way::kBoth).proven; });
    const double file_order = MeanOf(Saved(Way::kFileOrder));
    return fmt::format(
        "inputs {}: {} of {} proven optimal for their final form. Beyond reuse in file order "
        "({:.1f} %),\nscheduling alone saves {:.1f} points, orchestration alone {:.1f}, both "
        "{:.1f}. {:.0f} graphs scheduled at the median;\n{:.2f} s at the median, {:.1f} s for "
        "all.\n",
        convention_.name, num_proven, rows_.size(), file_order,
        MeanOf(Saved(Way::kOrder)) - file_order, MeanOf(Saved(Way::kPasses)) - file_order,
        MeanOf(Saved(Way::kBoth)) - file_order, MedianOf(Evaluations()), MedianOf(Seconds()),
        SumOf(Seconds()));
  }

  void AddMissed(std::vector<std::string>& missed) const {
    const auto miss = [&](std::string text) {
      missed.push_back(fmt::format("inputs {}: {}", convention_.name, text));
    };
    for (const GraphFigures& row : rows_) {
      if (row.of(Way::kBoth).peak_bytes > row.of(Way::kFileOrder).peak_bytes) {
        miss(row.graph + " needs more than in file order");
      }
      if (!IsReBench(row.graph) && row.of(Way::kBoth).seconds > kMaxModelSeconds) {
        miss(fmt::format("{} takes {:.1f} s", row.graph, row.of(Way::kBoth).seconds));
      }
    }
    const std::vector<double> seconds = Seconds();
    if (seconds.size() < kNumReBench) return;  // a goal of all
    const double mean = MeanOf(Saved(Way::kBoth));
    if (mean < convention_.least_mean_saved) {
      miss(fmt::format("{:.1f} % saved at the mean, not {} %", mean, convention_.least_mean_saved));
    }
    if (MedianOf(seconds) > kMaxMedianSeconds) {
      miss(fmt::format("{:.2f} s at the median", MedianOf(seconds)));
    }
    if (SumOf(seconds) > kMaxSumSeconds) {
      miss(fmt::format("{:.1f} s for all", SumOf(seconds)));
    }
  }

  Json ToJson() const {
    Json graphs = Json::array();
    for (const GraphFigures& row : rows_) {
      Json json{{"graph", row.graph},
                {"operators", row.num_ops},
                {"sum_bytes", row.sums.sum_bytes},
                {"parameter_bytes", row.sums.parameter_bytes},
                {"result_bytes", row.sums.result_bytes}};
      for (const Way way : kWays) {
        const Planned& planned = row.of(way);
        json[Name(way)] = {
            {"peak_bytes", planned.peak_bytes},         {"arena_bytes", planned.arena_bytes},
            {"lower_bound_bytes", planned.bound_bytes}, {"proven", planned.proven},
            {"evaluations", planned.evaluations},       {"seconds", planned.seconds}};
      }
      graphs.push_back(std::move(json));
    }
    return Json{{"inputs", convention_.name}, {"graphs", std::move(graphs)}};
  }

 private:
  static std::string GapText(const Planned& planned) {
    if (planned.proven) return "proven";
    return fmt::format("{:.2f} %", 100 * reports::Gap(planned.peak_bytes, planned.bound_bytes));
  }

  template <typename Figure>
  std::vector<double> OfSuite(Figure figure) const {
    std::vector<double> values;
    for (const GraphFigures& row : rows_) {
      if (IsReBench(row.graph)) values.push_back(figure(row));
    }
    return values;
  }

  const Convention& convention_;
  std::vector<GraphFigures> rows_;
};

// Mean, median and maximum, and how often the mean holds the one of TVM's default sequence.
std::vector<std::string> Row(std::string name, const std::vector<double>& saved,
                             double mean_of_default) {
  const double mean = MeanOf(saved);
  return {std::move(name),
          std::to_string(saved.size()),
          Percent(mean),
          Percent(MedianOf(saved)),
          Percent(MostOf(saved)),
          mean_of_default > 0 ? fmt::format("{:.2f}", mean / mean_of_default) : "-"};
}

NamedTable Reductions(const std::vector<Suite>& suites, const Published& published) {
  TextTable table({"saved of the sum without reuse", "graphs", "mean", "median", "most",
                   "mean / TVM default's"});
  const std::vector<double> of_default = published.SavedPercent("static", "Default");
  const double mean_of_default = MeanOf(of_default);
  for (std::size_t i = 0; i < suites.size(); ++i) {
    const std::string inputs = kConventions[i].name;
    for (const Way way : kWays) {
      table.Add(Row(inputs + ", " + Name(way), suites[i].Saved(way), mean_of_default));
    }
    table.Add(Row(inputs + ", floor", suites[i].FloorSaved(), mean_of_default));
  }
  for (const char* method : {"Default", "Greedy", "Beam", "SA", "Transfer"}) {
    const std::vector<double> saved = published.SavedPercent("static", method);
    if (saved.empty()) continue;
    table.Add(Row(fmt::format("published, its own metric: {}", method), saved, mean_of_default));
  }
  return {"reductions", "Saved of our sum of all parameters and results without reuse",
          std::move(table)};
}

constexpr const char* kNotes =
    "Bytes. sum: all parameters and results of the Relay text once, without reuse. Four peaks: in "
    "file order; with\nopass's order alone; with its passes alone (each graph in the order that "
    "the "
    "passes leave); with both. 'a / b' is a\npeak and its arena where that is larger. bound: no "
    "order of the final graph needs less. saved: arena of both, of\nthe sum. floor: what would be "
    "saved if the arena held the parameters, or the results if they are more, and\nnothing else "
    "(inputs at first use: the results); a parameter of which only type or shape is used drops "
    "out, "
    "so that\nmore can be saved. scheduled: graphs that the search over passes scheduled. seconds: "
    "of a "
    "processor, for both, from\nreading the text on.\n";

}  // namespace

Result<PartReport> RebenchMemory(const RebenchSettings& settings) {
  OPASS_ASSIGN_OR_RETURN(const Published published, Published::Read(settings.folder));
  std::vector<Suite> suites;
  PartReport report;
  report.json = Json::array();
  std::string summaries;
  for (const Convention& convention : kConventions) {
    Suite& suite = suites.emplace_back(convention);
    OPASS_RETURN_IF_ERROR(suite.Measure(settings));
    report.tables.push_back(suite.Table());
    report.plots.push_back(suite.Plot());
    report.json.push_back(suite.ToJson());
    suite.AddMissed(report.missed);
    if (!suite.Seconds().empty()) summaries += "\n" + suite.Summary();
  }
  if (!suites.front().Seconds().empty()) report.tables.push_back(Reductions(suites, published));
  for (const NamedTable& table : report.tables) {
    report.text += fmt::format("{}\n\n{}\n", table.title, table.table.ToString());
  }
  report.notes = kNotes + summaries;
  report.text += report.notes;
  return report;
}

}  // namespace opass::bench
