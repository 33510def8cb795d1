// opass bench schedule: how good the orders are and how much is proven, on nets, on families of
// generated graphs, on large graphs, and without single rules of the search.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>

#include "opass/bench/benchmark.h"
#include "opass/bench/run_parts.h"
#include "opass/bench/schedule_ablation.h"
#include "opass/bench/schedule_families.h"
#include "opass/bench/schedule_large.h"
#include "opass/bench/schedule_members.h"
#include "opass/bench/schedule_nets.h"
#include "opass/memory/problem_json.h"
#include "opass/support/file.h"

namespace opass::bench {
namespace {

struct Settings {
  ScheduleSettings parts;
  std::vector<std::string> chosen;
  std::string write_folder;
  bool hashes = false;
};

constexpr Part<ScheduleSettings> kParts[] = {
    {"nets", "25 nets, three memory models; file order, HMCOS, operator bound: in place",
     ScheduleNets},
    {"families", "families of graphs: proven / members (slowest)", ScheduleFamilies},
    {"large", "large graphs", ScheduleLarge},
    {"ablation", "rules of the exact search left out, one node budget", ScheduleAblation},
};

// Calls `visit` for all members that the benchmark measures.
Status ForEachMember(const ScheduleSettings& settings,
                     const std::function<Status(const memory::Problem&)>& visit) {
  std::vector<MemberSet> sets(std::begin(kMemberSets), std::end(kMemberSets));
  for (const std::int64_t size : {10'000, 100'000}) sets.push_back({size, 1, false});
  OPASS_ASSIGN_OR_RETURN(const auto families, ChosenFamilies(settings));
  for (const MemberSet& set : sets) {
    if (!settings.sizes.empty() && std::ranges::count(settings.sizes, set.size) == 0) continue;
    for (const Family* family : families) {
      for (int seed = 1; seed <= set.num_seeds; ++seed) {
        for (const bool in_place : {false, true}) {
          if (in_place && !set.in_place_too) continue;
          OPASS_RETURN_IF_ERROR(
              visit(MakeMember(*family, set.size, static_cast<std::uint64_t>(seed), in_place)));
        }
      }
    }
  }
  return {};
}

Status PrintHashes(const ScheduleSettings& settings) {
  fmt::print(
      "# Hashes (64-bit FNV-1a of the JSON) of the generated problems of opass bench schedule.\n"
      "member,fnv1a\n");
  return ForEachMember(settings, [](const memory::Problem& problem) -> Status {
    fmt::print("{},{}\n", problem.name, HashOf(problem));
    return {};
  });
}

Result<int> Run(const Settings& settings, bool json) {
  if (settings.hashes) {
    OPASS_RETURN_IF_ERROR(PrintHashes(settings.parts));
    return 0;
  }
  if (!settings.write_folder.empty()) {
    OPASS_RETURN_IF_ERROR(
        ForEachMember(settings.parts, [&](const memory::Problem& problem) -> Status {
          return WriteFileAtomically(settings.write_folder + "/" + problem.name + ".json",
                                     memory::ProblemToJson(problem));
        }));
    return 0;
  }
  return RunParts(kParts, settings.chosen, settings.parts, json);
}

std::function<Result<int>()> Setup(CLI::App& app, const bool& json) {
  auto settings = std::make_shared<Settings>();
  app.add_option("--part", settings->chosen, "nets, families, large, ablation; default: all")
      ->delimiter(',')
      ->check(CLI::IsMember(NamesOf(kParts)));
  app.add_option("--family", settings->parts.families, "names of families; default: all")
      ->delimiter(',');
  app.add_option("--size", settings->parts.sizes, "100, 200, 400, 1000, 10000, 100000")
      ->delimiter(',');
  app.add_option("--models", settings->parts.models, "folder of the nets ('make models')")
      ->capture_default_str();
  app.add_option("--data", settings->parts.data, "folder of the reference tables")
      ->capture_default_str();
  app.add_option("--write", settings->write_folder,
                 "write the families' problems (JSON) to this folder, and nothing else");
  app.add_flag("--hashes", settings->hashes, "print the hashes of the families' problems");
  return [settings, &json] { return Run(*settings, json); };
}

}  // namespace

extern const Benchmark benchmark_schedule;
const Benchmark benchmark_schedule = {
    .name = "schedule",
    .summary = "Orders and proofs: nets, families of graphs, large graphs, rules left out",
    .examples =
        "  opass bench schedule --part nets\n"
        "  opass bench schedule --part families --size 100,200\n"
        "  opass bench schedule --part large --family resnet,layered --size 10000\n"
        "  opass bench schedule --size 100 --family ws --write problems\n",
    .setup = Setup,
};

}  // namespace opass::bench
