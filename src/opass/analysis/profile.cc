#include "opass/analysis/profile.h"

#include <algorithm>
#include <functional>

#include "opass/memory/buffers.h"

namespace opass::analysis {
PeakProfile ProfilePeak(const memory::StorageGraph& graph, const memory::Schedule& schedule) {
  PeakProfile profile;
  const auto peak = std::ranges::max_element(schedule.step_bytes);
  profile.step = peak - schedule.step_bytes.begin();
  profile.op = schedule.order[static_cast<std::size_t>(profile.step)];
  profile.workspace_bytes = graph.op(profile.op).workspace_bytes;

  std::vector<memory::Lifetime> lifetimes = memory::StorageLifetimes(graph, schedule);
  for (std::size_t i = 0; i < schedule.takes_over.size(); ++i) {
    if (!schedule.takes_over[i].valid()) continue;
    // During the step of a takeover the output lies inside its input, which counts.
    ++lifetimes[graph.storage_of(memory::ValueId(i)).index()].first;
  }
  for (std::size_t i = 0; i < lifetimes.size(); ++i) {
    if (lifetimes[i].first > profile.step || lifetimes[i].last <= profile.step) continue;
    const memory::Storage& storage = graph.storage(memory::StorageId(i));
    profile.live.push_back({storage.root, storage.size_bytes});
  }
  std::ranges::stable_sort(profile.live, std::greater<>(), &LiveStorage::size_bytes);
  return profile;
}

}  // namespace opass::analysis
