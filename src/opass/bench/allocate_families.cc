#include "opass/bench/allocate_families.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "opass/bench/schedule_members.h"
#include "opass/bench/statistics.h"
#include "opass/bench/text_table.h"
#include "opass/planner/planner.h"
#include "opass/support/interrupt.h"

namespace opass::bench {
namespace {

// What the arenas must reach together: at the peak, and within so much of it otherwise.
constexpr double kLeastPercentAtPeak = 95;
constexpr double kMostExcessPercent = 1;
constexpr double kMaxSeconds = 1;  // of the placement of one problem

struct Member {
  std::string name;
  std::size_t num_ops = 0;
  std::int64_t bound_bytes = 0;
  std::int64_t least_peak_bytes = 0;  // of all orders found
  std::int64_t peak_bytes = 0;        // of the plan's order
  std::int64_t arena_bytes = 0;
  std::string how;  // scheduler and allocator of the plan
  double seconds = 0;
  double placement_seconds = 0;

  bool at_peak() const { return arena_bytes == least_peak_bytes; }
  double ExcessPercent() const {
    return 100 * static_cast<double>(arena_bytes - least_peak_bytes) /
           static_cast<double>(least_peak_bytes);
  }
};

Result<Member> PlanMember(const memory::Problem& problem, int threads) {
  planner::PlanOptions options;
  options.threads = threads;
  const auto start = std::chrono::steady_clock::now();
  OPASS_ASSIGN_OR_RETURN(const planner::PlanResult planned, planner::MakePlan(problem, options));
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  Member member;
  member.name = problem.name;
  member.num_ops = problem.ops.size();
  member.bound_bytes = planned.plan.lower_bound_bytes;
  member.least_peak_bytes =
      std::ranges::min_element(planned.scheduler_peaks, {}, &planner::SchedulerPeak::peak_bytes)
          ->peak_bytes;
  member.peak_bytes = planned.plan.peak_bytes;
  member.arena_bytes = planned.plan.arena_bytes;
  member.how = planned.scheduler + " + " + planned.allocator;
  member.seconds = took.count();
  member.placement_seconds = planned.placement_seconds;
  return member;
}

// The members of one family, or of all.
class Tally {
 public:
  void Count(const Member& member) {
    ++num_members_;
    num_at_peak_ += member.at_peak() ? 1 : 0;
    num_close_ += member.ExcessPercent() <= kMostExcessPercent ? 1 : 0;
    worst_percent_ = std::max(worst_percent_, member.ExcessPercent());
    seconds_.push_back(member.placement_seconds);
  }

  double PercentAtPeak() const {
    return num_members_ == 0 ? 100 : 100.0 * num_at_peak_ / num_members_;
  }

  std::vector<std::string> Row(const std::string& name) const {
    return {name,
            std::to_string(num_members_),
            std::to_string(num_at_peak_),
            std::to_string(num_close_),
            fmt::format("{:.2f} %", worst_percent_),
            fmt::format("{:.3f}", MedianOf(seconds_)),
            fmt::format("{:.2f}", MostOf(seconds_))};
  }

 private:
  int num_members_ = 0;
  int num_at_peak_ = 0;
  int num_close_ = 0;
  double worst_percent_ = 0;
  std::vector<double> seconds_;
};

class FamilyArenas {
 public:
  explicit FamilyArenas(const AllocateSettings& settings) : settings_(settings) {}

  Result<PartReport> Run() {
    ScheduleSettings chosen;
    chosen.families = settings_.families;
    OPASS_ASSIGN_OR_RETURN(const auto families, ChosenFamilies(chosen));
    report_.json = Json::array();
    TextTable table(
        {"family", "problems", "at the peak", "within 1 %", "worst", "median s", "most s"});
    Tally all;
    for (const Family* family : families) {
      Tally tally;
      for (const MemberSet& set : kMemberSets) {
        if (!settings_.sizes.empty() && std::ranges::count(settings_.sizes, set.size) == 0) {
          continue;
        }
        OPASS_RETURN_IF_ERROR(PlanMembers(*family, set, tally, all));
      }
      table.Add(tally.Row(std::string(family->name)));
    }
    table.Add(all.Row("all"));
    report_.text = table.ToString();
    if (num_above_ > 0) report_.text += "\nAbove the peak:\n\n" + above_.ToString();
    if (all.PercentAtPeak() < kLeastPercentAtPeak) {
      report_.missed.push_back(
          fmt::format("{:.1f} % at the peak, not {} %", all.PercentAtPeak(), kLeastPercentAtPeak));
    }
    return std::move(report_);
  }

 private:
  Status PlanMembers(const Family& family, const MemberSet& set, Tally& tally, Tally& all) {
    for (int seed = 1; seed <= set.num_seeds; ++seed) {
      for (const bool in_place : {false, true}) {
        if (in_place && !set.in_place_too) continue;
        if (InterruptedByUser()) return Error{ErrorCode::kInterrupted, "interrupted", "", "", ""};
        const memory::Problem problem =
            MakeMember(family, set.size, static_cast<std::uint64_t>(seed), in_place);
        fmt::print(stderr, "{} ...\n", problem.name);
        OPASS_ASSIGN_OR_RETURN(const Member member, PlanMember(problem, settings_.threads));
        tally.Count(member);
        all.Count(member);
        Report(member);
      }
    }
    return {};
  }

  void Report(const Member& member) {
    if (!member.at_peak()) {
      ++num_above_;
      above_.Add({member.name, std::to_string(member.bound_bytes),
                  std::to_string(member.least_peak_bytes), std::to_string(member.peak_bytes),
                  std::to_string(member.arena_bytes),
                  fmt::format("{:.2f} %", member.ExcessPercent()), member.how,
                  fmt::format("{:.2f}", member.placement_seconds)});
    }
    if (member.ExcessPercent() > kMostExcessPercent) {
      report_.missed.push_back(
          fmt::format("{}: {:.2f} % above the peak", member.name, member.ExcessPercent()));
    }
    if (member.placement_seconds > kMaxSeconds) {
      report_.missed.push_back(
          fmt::format("{}: placed in {:.1f} s", member.name, member.placement_seconds));
    }
    report_.json.push_back({{"member", member.name},
                            {"ops", member.num_ops},
                            {"lower_bound_bytes", member.bound_bytes},
                            {"least_peak_bytes", member.least_peak_bytes},
                            {"peak_bytes", member.peak_bytes},
                            {"arena_bytes", member.arena_bytes},
                            {"how", member.how},
                            {"seconds", member.seconds},
                            {"placement_seconds", member.placement_seconds}});
  }

  const AllocateSettings& settings_;
  PartReport report_;
  TextTable above_{{"problem", "bound", "least peak", "peak", "arena", "above", "how", "s"}};
  int num_above_ = 0;
};

}  // namespace

Result<PartReport> AllocateFamilies(const AllocateSettings& settings) {
  return FamilyArenas(settings).Run();
}

}  // namespace opass::bench
