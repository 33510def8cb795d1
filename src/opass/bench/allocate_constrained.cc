#include "opass/bench/allocate_constrained.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <random>

#include "opass/allocators/allocate_buffers.h"
#include "opass/bench/statistics.h"
#include "opass/bench/text_table.h"
#include "opass/support/interrupt.h"

namespace opass::bench {
namespace {

using allocators::BufferList;
using allocators::ListedBuffer;
using Random = std::mt19937_64;

void AlignAlike(BufferList& list, Random&) {
  for (ListedBuffer& buffer : list.buffers) buffer.alignment = 4096;
}

void AlignMixed(BufferList& list, Random& random) {
  for (ListedBuffer& buffer : list.buffers) buffer.alignment = std::int64_t{1} << random() % 13;
}

// The first of fifty buffers, one above the other.
void Pin(BufferList& list, Random&) {
  std::int64_t top = 0;
  for (std::size_t i = 0; i < list.buffers.size(); i += 50) {
    list.buffers[i].pinned_offset = top;
    top += list.buffers[i].size_bytes;
  }
}

void Forbid(BufferList& list, Random&) {
  list.pools = {{"", std::nullopt, {{100'000, 110'000}, {500'000, 500'100}}}};
}

// The second half of every other lifetime but its last step.
void AddGaps(BufferList& list, Random& random) {
  for (ListedBuffer& buffer : list.buffers) {
    const std::int64_t middle = buffer.first + (buffer.last - buffer.first) / 2;
    if (random() % 2 == 0 && middle > buffer.first && middle < buffer.last - 1) {
      buffer.gaps = {{middle, buffer.last - 1}};
    }
  }
}

// Of ten buffers in the order of their births, the first three that are small lie beside each
// other, as parts of a concat.
void Group(BufferList& list, Random&) {
  std::vector<ListedBuffer*> small;
  for (ListedBuffer& buffer : list.buffers) {
    if (buffer.size_bytes <= kPuzzleCapacity / 16) small.push_back(&buffer);
  }
  std::ranges::stable_sort(small, {}, &ListedBuffer::first);
  for (std::size_t i = 0; i + 2 < small.size(); i += 10) {
    std::int64_t delta = 0;
    for (std::size_t k = i; k < i + 3; ++k) {
      small[k]->group = std::to_string(i);
      small[k]->delta_bytes = delta;
      delta += small[k]->size_bytes;
    }
  }
}

struct Constraint {
  const char* name;
  void (*apply)(BufferList& list, Random& random);
};

constexpr Constraint kConstraints[] = {
    {"aligned to 4096", AlignAlike},
    {"aligned to 1 .. 4096", AlignMixed},
    {"pinned", Pin},
    {"forbidden", Forbid},
    {"gaps", AddGaps},
    {"groups", Group},
};

Result<AllocateCase> RunOne(const BufferList& list, std::uint64_t seed,
                            const AllocateSettings& settings) {
  if (InterruptedByUser()) return Error{ErrorCode::kInterrupted, "interrupted", "", "", ""};
  const auto start = std::chrono::steady_clock::now();
  OPASS_ASSIGN_OR_RETURN(
      const auto found,
      allocators::AllocateBuffers(
          list, {.seed = seed, .threads = settings.threads, .max_seconds = settings.max_seconds}));
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
  const allocators::PoolAllocation& pool = found.pools[0];
  return AllocateCase{pool.arena_bytes, pool.lower_bound_bytes, taken.count(), 0};
}

}  // namespace

Result<PartReport> AllocateConstrained(const AllocateSettings& settings) {
  PartReport report{.text = {}, .json = Json::array(), .missed = {}};
  TextTable table({"constraint", "proven", "median gap", "most", "median s", "most s"});
  OPASS_ASSIGN_OR_RETURN(const auto instances, ChosenInstances(settings));
  for (const Constraint& constraint : kConstraints) {
    std::vector<double> gaps;
    std::vector<double> seconds;
    for (const KnownInstance& instance : instances) {
      for (int seed = 1; seed <= std::max(1, settings.num_seeds); ++seed) {
        const auto number = static_cast<std::uint64_t>(seed);
        Random random(number);
        BufferList list;
        OPASS_ASSIGN_OR_RETURN(list.buffers, ReadInstance(settings, instance));
        constraint.apply(list, random);
        OPASS_ASSIGN_OR_RETURN(const AllocateCase found, RunOne(list, number, settings));
        gaps.push_back(found.GapPercent());
        seconds.push_back(found.seconds);
        report.json.push_back({{"constraint", constraint.name},
                               {"instance", std::string(1, instance.name)},
                               {"seed", seed},
                               {"lower_bound_bytes", found.bound_bytes},
                               {"arena_bytes", found.arena_bytes},
                               {"seconds", found.seconds}});
      }
    }
    table.Add({constraint.name, fmt::format("{} of {}", std::ranges::count(gaps, 0.0), gaps.size()),
               fmt::format("{:.2f} %", MedianOf(gaps)),
               fmt::format("{:.2f} %", std::ranges::max(gaps)),
               fmt::format("{:.2f}", MedianOf(seconds)),
               fmt::format("{:.2f}", std::ranges::max(seconds))});
  }
  report.text = table.ToString();
  return report;
}

}  // namespace opass::bench
