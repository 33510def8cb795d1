// opass bench allocate: offsets for lists of buffers, how fast and how low.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "opass/allocators/buffer_list_csv.h"
#include "opass/bench/allocate_constrained.h"
#include "opass/bench/allocate_families.h"
#include "opass/bench/allocate_fit.h"
#include "opass/bench/allocate_minimise.h"
#include "opass/bench/allocate_puzzles.h"
#include "opass/bench/benchmark.h"
#include "opass/bench/run_parts.h"
#include "opass/support/file.h"

namespace opass::bench {
namespace {

struct Settings {
  AllocateSettings parts;
  std::vector<std::string> chosen;
  std::string write_folder;
};

constexpr Part<AllocateSettings> kParts[] = {
    {"fit", "minimalloc's challenging instances, the time to fit 1,048,576 bytes", AllocateFit},
    {"generated", "generated instances of the same kind, the same", AllocateGenerated},
    {"minimise", "minimalloc's challenging instances, the lowest arena in 60 s", AllocateMinimise},
    {"constrained", "the same with constraints, the lowest arena of the default work",
     AllocateConstrained},
    {"large", "many buffers, the check included", AllocateLarge},
    {"families", "families of graphs: arenas and the least peak found; seconds after the order",
     AllocateFamilies},
};

Result<int> WritePuzzles(const std::string& folder) {
  for (std::uint64_t number = 1; number <= kNumPuzzles; ++number) {
    const Puzzle puzzle = MakePuzzle(number);
    const std::string path = fmt::format("{}/{}.{}.csv", folder, puzzle.name, kPuzzleCapacity);
    OPASS_RETURN_IF_ERROR(
        WriteFileAtomically(path, allocators::BufferListToCsv(puzzle.buffers, puzzle.offsets)));
  }
  return 0;
}

Result<int> Run(const Settings& settings, bool json) {
  if (!settings.write_folder.empty()) return WritePuzzles(settings.write_folder);
  return RunParts(kParts, settings.chosen, settings.parts, json);
}

std::function<Result<int>()> Setup(CLI::App& app, const bool& json) {
  auto settings = std::make_shared<Settings>();
  app.add_option("--part", settings->chosen,
                 "fit, generated, minimise, constrained, large, families; default: all")
      ->delimiter(',')
      ->check(CLI::IsMember(NamesOf(kParts)));
  app.add_option("--dir", settings->parts.folder, "folder of minimalloc's instances")
      ->capture_default_str();
  app.add_option("--instance", settings->parts.instances, "A to K; default: all")->delimiter(',');
  app.add_option("--family", settings->parts.families, "names of families; default: all")
      ->delimiter(',');
  app.add_option("--size", settings->parts.sizes, "of families' problems: 100, 200, 400, 1000")
      ->delimiter(',');
  app.add_option("--seeds", settings->parts.num_seeds,
                 "runs of each; default: 9, minimise 5, constrained 1")
      ->check(CLI::Range(1, 1000));
  app.add_option("--threads", settings->parts.threads, "of each run")
      ->check(CLI::Range(1, 64))
      ->capture_default_str();
  app.add_option("--time", settings->parts.max_seconds, "seconds; default: 15, minimise 60")
      ->check(CLI::Range(0.0, 1e6));
  app.add_option("--write", settings->write_folder,
                 "write the generated instances with their hidden layouts to this folder, and "
                 "nothing else");
  return [settings, &json] { return Run(*settings, json); };
}

}  // namespace

extern const Benchmark benchmark_allocate;
const Benchmark benchmark_allocate = {
    .name = "allocate",
    .summary = "Offsets for lists of buffers: minimalloc's instances, generated and large ones",
    .examples =
        "  opass bench allocate --part fit,generated\n"
        "  opass bench allocate --part minimise --instance D,J --time 60\n"
        "  opass bench allocate --part large\n"
        "  opass bench allocate --part families --family layered,moe --size 100\n",
    .setup = Setup,
};

}  // namespace opass::bench
