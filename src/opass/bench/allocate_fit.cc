#include "opass/bench/allocate_fit.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "opass/bench/allocate_puzzles.h"
#include "opass/bench/statistics.h"
#include "opass/bench/text_table.h"

namespace opass::bench {
namespace {

constexpr double kMaxSeconds = 15;
constexpr int kNumSeeds = 9;

// The seconds of one instance, by seed; those that did not fit are infinite.
struct Times {
  std::vector<double> seconds;
  std::vector<double> cpu_seconds;  // the same on a busy machine
};

Result<Times> FitAll(std::span<const allocators::ListedBuffer> buffers,
                     const AllocateSettings& settings) {
  Times times;
  const int seeds = settings.num_seeds > 0 ? settings.num_seeds : kNumSeeds;
  for (int seed = 1; seed <= seeds; ++seed) {
    OPASS_ASSIGN_OR_RETURN(
        const AllocateCase found,
        RunAllocate(buffers, static_cast<std::uint64_t>(seed), settings.threads, kPuzzleCapacity,
                    settings.max_seconds.value_or(kMaxSeconds)));
    const bool fits = found.arena_bytes <= kPuzzleCapacity;
    times.seconds.push_back(fits ? found.seconds : HUGE_VAL);
    times.cpu_seconds.push_back(fits ? found.cpu_seconds : HUGE_VAL);
  }
  return times;
}

std::string TextOf(double seconds) {
  return std::isinf(seconds) ? "-" : fmt::format("{:.3f}", seconds);
}

// One row an instance.
class FitTable {
 public:
  explicit FitTable(bool with_reference) : with_reference_(with_reference) {
    std::vector<std::string> headings = {"instance", "buffers",   "fit",         "fastest s",
                                         "median s", "slowest s", "median CPU s"};
    if (with_reference) headings.insert(headings.end(), {"minimalloc s", "ratio"});
    table_ = TextTable(headings);
  }

  void Add(const std::string& name, std::size_t num_buffers, const Times& times, double reference) {
    const std::vector<double>& seconds = times.seconds;
    const double cpu_median = MedianOf(times.cpu_seconds);
    const auto fit = std::ranges::count_if(seconds, [](double s) { return !std::isinf(s); });
    const double median = MedianOf(seconds);
    const auto [least, most] = std::ranges::minmax(seconds);
    std::vector<std::string> row = {name,
                                    std::to_string(num_buffers),
                                    fmt::format("{} of {}", fit, seconds.size()),
                                    TextOf(least),
                                    TextOf(median),
                                    TextOf(most),
                                    TextOf(cpu_median)};
    Json json = {{"instance", name},
                 {"buffers", num_buffers},
                 {"fit", fit},
                 {"runs", seconds.size()},
                 {"seconds", seconds},
                 {"median_seconds", median},
                 {"median_cpu_seconds", cpu_median}};
    if (with_reference_) {
      // On an idle machine two threads take half of it: what is said is said per core.
      const double ratio = cpu_median / reference;
      row.insert(row.end(), {fmt::format("{:.2f}", reference),
                             std::isinf(ratio) ? "-" : fmt::format("{:.3f}", ratio)});
      json["minimalloc_seconds"] = reference;
      log_ratios_ += std::log(ratio);
      num_faster_ += ratio < 1 ? 1 : 0;
    }
    ++num_rows_;
    table_.Add(std::move(row));
    report_.json.push_back(std::move(json));
    if (fit < static_cast<std::ptrdiff_t>(seconds.size())) {
      report_.missed.push_back(name + ": not on every seed");
    }
  }

  PartReport Finish() {
    report_.text = table_.ToString();
    if (with_reference_ && num_rows_ > 0) {
      const double mean = std::exp(log_ratios_ / num_rows_);
      report_.text +=
          fmt::format("\nless CPU time on {} of {}, geometric mean of the ratios {:.3f}\n",
                      num_faster_, num_rows_, mean);
      if (num_rows_ == std::ssize(KnownInstances())) {
        if (num_faster_ + 1 < num_rows_) report_.missed.push_back("fit: slower on more than one");
        if (!(mean <= 0.2)) report_.missed.push_back("fit: mean ratio above 0.2");
      }
    }
    return std::move(report_);
  }

 private:
  bool with_reference_;
  TextTable table_{{}};
  PartReport report_{.text = {}, .json = Json::array(), .missed = {}};
  double log_ratios_ = 0;
  int num_faster_ = 0;
  int num_rows_ = 0;
};

}  // namespace

Result<PartReport> AllocateFit(const AllocateSettings& settings) {
  FitTable table(true);
  OPASS_ASSIGN_OR_RETURN(const auto instances, ChosenInstances(settings));
  for (const KnownInstance& instance : instances) {
    OPASS_ASSIGN_OR_RETURN(const auto buffers, ReadInstance(settings, instance));
    OPASS_ASSIGN_OR_RETURN(const Times times, FitAll(buffers, settings));
    table.Add(std::string(1, instance.name), buffers.size(), times, instance.minimalloc_seconds);
  }
  return table.Finish();
}

Result<PartReport> AllocateGenerated(const AllocateSettings& settings) {
  FitTable table(false);
  for (std::uint64_t number = 1; number <= kNumPuzzles; ++number) {
    const Puzzle puzzle = MakePuzzle(number);
    OPASS_ASSIGN_OR_RETURN(const Times times, FitAll(puzzle.buffers, settings));
    table.Add(puzzle.name, puzzle.buffers.size(), times, 0);
  }
  return table.Finish();
}

}  // namespace opass::bench
