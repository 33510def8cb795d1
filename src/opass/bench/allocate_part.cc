#include "opass/bench/allocate_part.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <ctime>

#include "opass/allocators/allocate_list.h"
#include "opass/allocators/buffer_list_csv.h"
#include "opass/support/file.h"
#include "opass/support/interrupt.h"

namespace opass::bench {
namespace {

// Seconds: minimalloc (github.com/google/minimalloc) with its default settings on a machine of two
// busy cores. Bytes: the largest load, which is a lower bound, where it is known to be reached.
constexpr KnownInstance kInstances[] = {
    {'A', 4.54, 1'048'576}, {'B', 3.53, 1'048'576}, {'C', 0.67, 1'039'360}, {'D', 2.51, 1'016'000},
    {'E', 3.36, 1'048'576}, {'F', 4.74, 1'048'576}, {'G', 1.04, 1'048'576}, {'H', 1.56, 1'048'576},
    {'I', 3.04, 1'048'576}, {'J', 0.89, 1'022'000}, {'K', 0.58, 1'048'576},
};

}  // namespace

std::span<const KnownInstance> KnownInstances() { return kInstances; }

Result<std::vector<KnownInstance>> ChosenInstances(const AllocateSettings& settings) {
  std::vector<KnownInstance> chosen;
  if (settings.instances.empty()) return std::vector(std::begin(kInstances), std::end(kInstances));
  for (const std::string& name : settings.instances) {
    const auto found = std::ranges::find_if(
        kInstances, [&](const KnownInstance& each) { return name == std::string(1, each.name); });
    if (found == std::end(kInstances)) {
      return InvalidInput(fmt::format("there is no instance '{}'", name), "--instance", "A to K");
    }
    chosen.push_back(*found);
  }
  return chosen;
}

Result<std::vector<allocators::ListedBuffer>> ReadInstance(const AllocateSettings& settings,
                                                           const KnownInstance& instance) {
  const std::string path =
      fmt::format("{}/{}.{}.csv", settings.folder, instance.name, kPuzzleCapacity);
  OPASS_ASSIGN_OR_RETURN(const std::string csv, ReadFile(path));
  return allocators::ParseBufferList(csv, path);
}

double AllocateCase::GapPercent() const {
  const auto gap = static_cast<double>(arena_bytes - bound_bytes);
  return bound_bytes == 0 ? 0 : 100 * gap / static_cast<double>(bound_bytes);
}

Result<AllocateCase> RunAllocate(std::span<const allocators::ListedBuffer> buffers,
                                 std::uint64_t seed, int threads,
                                 std::optional<std::int64_t> capacity_bytes,
                                 std::optional<double> max_seconds) {
  if (InterruptedByUser()) return Error{ErrorCode::kInterrupted, "interrupted", "", "", ""};
  const auto start = std::chrono::steady_clock::now();
  const std::clock_t cpu_start = std::clock();
  OPASS_ASSIGN_OR_RETURN(const allocators::Allocation found,
                         allocators::AllocateList(buffers, {.seed = seed,
                                                            .threads = threads,
                                                            .capacity_bytes = capacity_bytes,
                                                            .max_seconds = max_seconds}));
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
  const auto cpu_taken = static_cast<double>(std::clock() - cpu_start) / CLOCKS_PER_SEC;
  return AllocateCase{found.arena_bytes, found.lower_bound_bytes, taken.count(), cpu_taken};
}

}  // namespace opass::bench
