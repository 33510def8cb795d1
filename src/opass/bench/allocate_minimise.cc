#include "opass/bench/allocate_minimise.h"

#include <fmt/format.h>

#include <algorithm>

#include "opass/bench/allocate_puzzles.h"
#include "opass/bench/statistics.h"
#include "opass/bench/text_table.h"

namespace opass::bench {
namespace {

constexpr double kMaxSeconds = 60;
constexpr int kNumSeeds = 5;
constexpr double kMaxLargeSeconds = 5;

int NumSeeds(const AllocateSettings& settings, int otherwise) {
  return settings.num_seeds > 0 ? settings.num_seeds : otherwise;
}

}  // namespace

Result<PartReport> AllocateMinimise(const AllocateSettings& settings) {
  PartReport report{.text = {}, .json = Json::array(), .missed = {}};
  TextTable table({"instance", "bound", "goal", "median", "least", "most", "gap", "median s"});
  OPASS_ASSIGN_OR_RETURN(const auto instances, ChosenInstances(settings));
  for (const KnownInstance& instance : instances) {
    OPASS_ASSIGN_OR_RETURN(const auto buffers, ReadInstance(settings, instance));
    std::vector<std::int64_t> arenas;
    std::vector<double> seconds;
    AllocateCase last;
    for (int seed = 1; seed <= NumSeeds(settings, kNumSeeds); ++seed) {
      OPASS_ASSIGN_OR_RETURN(
          last, RunAllocate(buffers, static_cast<std::uint64_t>(seed), settings.threads,
                            std::nullopt, settings.max_seconds.value_or(kMaxSeconds)));
      arenas.push_back(last.arena_bytes);
      seconds.push_back(last.seconds);
    }
    std::ranges::sort(arenas);
    last.arena_bytes = arenas[arenas.size() / 2];
    const std::string name(1, instance.name);
    table.Add({name, std::to_string(last.bound_bytes), std::to_string(instance.goal_bytes),
               std::to_string(last.arena_bytes), std::to_string(arenas.front()),
               std::to_string(arenas.back()), fmt::format("{:.2f} %", last.GapPercent()),
               fmt::format("{:.2f}", MedianOf(seconds))});
    report.json.push_back({{"instance", name},
                           {"lower_bound_bytes", last.bound_bytes},
                           {"goal_bytes", instance.goal_bytes},
                           {"arena_bytes", arenas},
                           {"median_seconds", MedianOf(seconds)}});
    if (last.arena_bytes > instance.goal_bytes) report.missed.push_back(name + ": above its goal");
  }
  report.text = table.ToString();
  return report;
}

Result<PartReport> AllocateLarge(const AllocateSettings& settings) {
  PartReport report{.text = {}, .json = Json::array(), .missed = {}};
  TextTable table({"buffers", "seed", "bound", "arena", "gap", "s", "CPU s"});
  for (const std::int64_t count : {1'000, 10'000, 100'000}) {
    for (int seed = 1; seed <= NumSeeds(settings, 3); ++seed) {
      const auto number = static_cast<std::uint64_t>(seed);
      const auto buffers = MakeManyBuffers(count, number);
      OPASS_ASSIGN_OR_RETURN(
          const AllocateCase found,
          RunAllocate(buffers, number, settings.threads, std::nullopt, settings.max_seconds));
      table.Add({std::to_string(count), std::to_string(seed), std::to_string(found.bound_bytes),
                 std::to_string(found.arena_bytes), fmt::format("{:.2f} %", found.GapPercent()),
                 fmt::format("{:.2f}", found.seconds), fmt::format("{:.2f}", found.cpu_seconds)});
      report.json.push_back({{"buffers", count},
                             {"seed", seed},
                             {"lower_bound_bytes", found.bound_bytes},
                             {"arena_bytes", found.arena_bytes},
                             {"seconds", found.seconds},
                             {"cpu_seconds", found.cpu_seconds}});
      if (found.cpu_seconds > kMaxLargeSeconds) {
        report.missed.push_back(fmt::format("{} buffers: {:.1f} s", count, found.cpu_seconds));
      }
    }
  }
  report.text = table.ToString();
  return report;
}

}  // namespace opass::bench
