#include "opass/bench/schedule_families.h"

#include <fmt/format.h>

#include <algorithm>

#include "opass/bench/schedule_case.h"
#include "opass/bench/schedule_members.h"
#include "opass/bench/text_table.h"
#include "opass/support/interrupt.h"

namespace opass::bench {
namespace {

// Members of about `size` operators that must be proven, of all families together.
struct Goal {
  std::int64_t size;
  int num_proven;
};
constexpr Goal kGoals[] = {{100, 240}, {200, 140}, {400, 22}, {1000, 20}};
constexpr double kMaxSeconds = 25;

// The members of one family and size.
struct Cell {
  int num_members = 0;
  int num_proven = 0;
  double max_seconds = 0;
  double worst_gap = 0;

  std::string Text() const {
    std::string text = fmt::format("{}/{} ({:.2f} s)", num_proven, num_members, max_seconds);
    if (worst_gap > 0) text += fmt::format(" gap {:.1f} %", worst_gap);
    return text;
  }
};

class FamilyTable {
 public:
  FamilyTable(const ScheduleSettings& settings, std::vector<const Family*> families,
              KnownHashes hashes)
      : families_(std::move(families)), hashes_(std::move(hashes)) {
    for (const MemberSet& set : kMemberSets) {
      if (settings.sizes.empty() || std::ranges::count(settings.sizes, set.size) > 0) {
        sets_.push_back(set);
      }
    }
  }

  Result<PartReport> Run() {
    report_.json = Json::array();
    std::vector<std::string> headings = {"family"};
    for (const MemberSet& set : sets_) headings.push_back(fmt::format("n~{}", set.size));
    TextTable table(headings);
    std::vector<int> num_proven(sets_.size(), 0);
    for (const Family* family : families_) {
      std::vector<std::string> row = {std::string(family->name)};
      for (std::size_t i = 0; i < sets_.size(); ++i) {
        OPASS_ASSIGN_OR_RETURN(const Cell cell, Solve(*family, sets_[i]));
        num_proven[i] += cell.num_proven;
        row.push_back(cell.Text());
      }
      table.Add(std::move(row));
    }
    report_.text = table.ToString() + "\n";
    if (families_.size() == Families().size()) Judge(num_proven);
    if (num_open_ > 0) report_.text += "\nNot proven:\n\n" + open_.ToString();
    return std::move(report_);
  }

 private:
  Result<Cell> Solve(const Family& family, const MemberSet& set) {
    Cell cell;
    for (int seed = 1; seed <= set.num_seeds; ++seed) {
      for (const bool in_place : {false, true}) {
        if (in_place && !set.in_place_too) continue;
        if (InterruptedByUser()) return Error{ErrorCode::kInterrupted, "interrupted", "", "", ""};
        const memory::Problem problem =
            MakeMember(family, set.size, static_cast<std::uint64_t>(seed), in_place);
        OPASS_RETURN_IF_ERROR(hashes_.Check(problem));
        fmt::print(stderr, "{} ...\n", problem.name);
        OPASS_ASSIGN_OR_RETURN(const ScheduleCase solved, SolveCase(problem));
        Count(solved, cell);
      }
    }
    return cell;
  }

  void Count(const ScheduleCase& solved, Cell& cell) {
    ++cell.num_members;
    cell.num_proven += solved.proven() ? 1 : 0;
    cell.max_seconds = std::max(cell.max_seconds, solved.seconds);
    cell.worst_gap = std::max(cell.worst_gap, solved.gap_percent());
    if (!solved.proven()) {
      ++num_open_;
      open_.Add({solved.name, std::to_string(solved.bound_bytes), std::to_string(solved.peak_bytes),
                 solved.GapText(), fmt::format("{:.1f}", solved.seconds)});
    }
    if (solved.seconds > kMaxSeconds) {
      report_.missed.push_back(fmt::format("{}: {:.1f} s", solved.name, solved.seconds));
    }
    report_.json.push_back({{"member", solved.name},
                            {"ops", solved.num_ops},
                            {"file_order_bytes", solved.file_order_bytes},
                            {"peak_bytes", solved.peak_bytes},
                            {"lower_bound_bytes", solved.bound_bytes},
                            {"proven_optimal", solved.proven()},
                            {"seconds", solved.seconds}});
  }

  void Judge(const std::vector<int>& num_proven) {
    for (std::size_t i = 0; i < sets_.size(); ++i) {
      const auto* goal = std::ranges::find(kGoals, sets_[i].size, &Goal::size);
      const int num_members =
          static_cast<int>(families_.size()) * sets_[i].num_seeds * (sets_[i].in_place_too ? 2 : 1);
      report_.text += fmt::format("- n~{}: {} of {} proven, goal {}\n", sets_[i].size,
                                  num_proven[i], num_members, goal->num_proven);
      if (num_proven[i] >= goal->num_proven) continue;
      report_.missed.push_back(
          fmt::format("n~{}: {} proven, not {}", sets_[i].size, num_proven[i], goal->num_proven));
    }
  }

  std::vector<const Family*> families_;
  KnownHashes hashes_;
  std::vector<MemberSet> sets_;
  PartReport report_;
  TextTable open_{{"member", "bound", "peak", "gap", "s"}};
  int num_open_ = 0;
};

}  // namespace

Result<PartReport> ScheduleFamilies(const ScheduleSettings& settings) {
  OPASS_ASSIGN_OR_RETURN(auto families, ChosenFamilies(settings));
  OPASS_ASSIGN_OR_RETURN(auto hashes, KnownHashes::Read(settings));
  return FamilyTable(settings, std::move(families), std::move(hashes)).Run();
}

}  // namespace opass::bench
