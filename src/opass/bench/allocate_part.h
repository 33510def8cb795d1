#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "opass/allocators/buffer_list.h"
#include "opass/bench/part_report.h"
#include "opass/support/result.h"

// A part of `opass bench allocate`, and what the parts share.
namespace opass::bench {

struct AllocateSettings {
  std::string folder = "tests/data/minimalloc";  // of A.1048576.csv to K.1048576.csv
  std::vector<std::string> instances;            // names; empty: all
  std::vector<std::string> families;             // of --part families; empty: all
  std::vector<std::int64_t> sizes;               // of its problems; empty: all
  int num_seeds = 0;                             // 0: that of the part
  int threads = 2;
  std::optional<double> max_seconds = std::nullopt;  // none: that of the part
};

// Bytes that all instances are known to fit in, those of minimalloc and the generated ones.
constexpr std::int64_t kPuzzleCapacity = 1'048'576;

// minimalloc's instance A to K, and what is known about it.
struct KnownInstance {
  char name = 'A';
  double minimalloc_seconds = 0;  // to fit kPuzzleCapacity: one thread, median of 3 processes
  std::int64_t goal_bytes = 0;    // that 60 seconds should reach: the bound, but for D and J
};
std::span<const KnownInstance> KnownInstances();

// Those that the settings choose. Error (kInvalidInput): a name of no instance.
Result<std::vector<KnownInstance>> ChosenInstances(const AllocateSettings& settings);
Result<std::vector<allocators::ListedBuffer>> ReadInstance(const AllocateSettings& settings,
                                                           const KnownInstance& instance);

// One call of AllocateList.
struct AllocateCase {
  std::int64_t arena_bytes = 0;
  std::int64_t bound_bytes = 0;
  double seconds = 0;
  double cpu_seconds = 0;  // of all threads together

  double GapPercent() const;
};
Result<AllocateCase> RunAllocate(std::span<const allocators::ListedBuffer> buffers,
                                 std::uint64_t seed, int threads,
                                 std::optional<std::int64_t> capacity_bytes,
                                 std::optional<double> max_seconds);

}  // namespace opass::bench
