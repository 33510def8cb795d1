#include "opass/bench/schedule_large.h"

#include <fmt/format.h>

#include <algorithm>

#include "opass/bench/csv.h"
#include "opass/bench/schedule_case.h"
#include "opass/bench/schedule_members.h"
#include "opass/bench/text_table.h"
#include "opass/support/interrupt.h"

namespace opass::bench {
namespace {

constexpr std::int64_t kSizes[] = {10'000, 100'000};

// Seconds that a deep-learning-like member may take.
double MaxSeconds(std::int64_t size) { return size <= 10'000 ? 3 : 10; }

// What the study reached.
struct Reference {
  std::int64_t peak_bytes = 0;
  std::int64_t bound_bytes = 0;
};

class LargeTable {
 public:
  LargeTable(const std::vector<CsvRow>& references, KnownHashes hashes)
      : hashes_(std::move(hashes)) {
    for (const CsvRow& row : references) {
      references_[row.at("family") + row.at("size")] = {NumberOf(row, "peak").value_or(0),
                                                        NumberOf(row, "bound").value_or(0)};
    }
    report_.json = Json::array();
  }

  Status Add(const Family& family, std::int64_t size) {
    if (InterruptedByUser()) return Error{ErrorCode::kInterrupted, "interrupted", "", "", ""};
    const memory::Problem problem = MakeMember(family, size, 1, false);
    OPASS_RETURN_IF_ERROR(hashes_.Check(problem));
    fmt::print(stderr, "{} ...\n", problem.name);
    OPASS_ASSIGN_OR_RETURN(const ScheduleCase solved, SolveCase(problem));
    const auto found = references_.find(std::string(family.name) + std::to_string(size));
    const Reference* reference = found == references_.end() ? nullptr : &found->second;
    Judge(family, size, solved, reference);
    const auto or_dash = [](std::int64_t bytes) {
      return bytes == 0 ? std::string("-") : std::to_string(bytes);
    };
    table_.Add({std::string(family.name), std::to_string(solved.num_ops),
                std::to_string(solved.file_order_bytes), or_dash(solved.PeakOf("depth_first")),
                or_dash(solved.PeakOf("greedy")), std::to_string(solved.peak_bytes),
                std::to_string(solved.bound_bytes), solved.GapText(),
                fmt::format("{:.2f}", solved.seconds),
                reference == nullptr
                    ? "-"
                    : fmt::format("{}..{}", reference->bound_bytes, reference->peak_bytes)});
    return {};
  }

  PartReport Finish() {
    report_.text = table_.ToString() + "\n" + notes_;
    return std::move(report_);
  }

 private:
  void Judge(const Family& family, std::int64_t size, const ScheduleCase& solved,
             const Reference* reference) {
    const auto miss = [&](const std::string& what) {
      report_.missed.push_back(fmt::format("{}: {}", solved.name, what));
    };
    for (const planner::SchedulerPeak& single : solved.tried) {
      if (solved.peak_bytes > single.peak_bytes) miss("above " + single.scheduler);
    }
    if (reference != nullptr && solved.peak_bytes < reference->bound_bytes) {
      notes_ += fmt::format("{}: the study's bound of {} is wrong: an order needs {}\n",
                            solved.name, reference->bound_bytes, solved.peak_bytes);
    } else if (reference != nullptr && reference->peak_bytes == reference->bound_bytes &&
               !solved.proven()) {
      miss("not proven");
    }
    if (family.deep_learning_like && solved.seconds > MaxSeconds(size)) {
      miss(fmt::format("{:.1f} s", solved.seconds));
    }
    report_.json.push_back({{"member", solved.name},
                            {"ops", solved.num_ops},
                            {"file_order_bytes", solved.file_order_bytes},
                            {"peak_bytes", solved.peak_bytes},
                            {"lower_bound_bytes", solved.bound_bytes},
                            {"proven_optimal", solved.proven()},
                            {"seconds", solved.seconds}});
  }

  std::map<std::string, Reference> references_;
  KnownHashes hashes_;
  TextTable table_{{"family", "ops", "file order", "depth_first", "greedy", "auto", "bound", "gap",
                    "s", "study: bound..peak"}};
  PartReport report_;
  std::string notes_;
};

}  // namespace

Result<PartReport> ScheduleLarge(const ScheduleSettings& settings) {
  OPASS_ASSIGN_OR_RETURN(const auto families, ChosenFamilies(settings));
  OPASS_ASSIGN_OR_RETURN(auto hashes, KnownHashes::Read(settings));
  OPASS_ASSIGN_OR_RETURN(const auto references, ReadCsv(settings.data + "/schedule_large.csv"));
  LargeTable table(references, std::move(hashes));
  for (const std::int64_t size : kSizes) {
    if (!settings.sizes.empty() && std::ranges::count(settings.sizes, size) == 0) continue;
    for (const Family* family : families) OPASS_RETURN_IF_ERROR(table.Add(*family, size));
  }
  return table.Finish();
}

}  // namespace opass::bench
