#include "opass/analysis/profile.h"

#include <algorithm>

namespace opass::analysis {
namespace {

// The half-open steps during which a storage is live by itself; a takeover ends it one step early,
// because its bytes then count for the output.
struct Lifetime {
  std::int64_t first = 0;
  std::int64_t last = 0;
};

Lifetime LifetimeOf(const memory::Storage& storage, const std::vector<std::int64_t>& step_of,
                    memory::InputArrival inputs, std::int64_t num_steps) {
  Lifetime life;
  std::int64_t last_read = -1;
  std::int64_t first_read = num_steps;
  for (const memory::OpId reader : storage.readers) {
    last_read = std::max(last_read, step_of[reader.index()]);
    first_read = std::min(first_read, step_of[reader.index()]);
  }
  if (storage.producer.valid()) {
    life.first = step_of[storage.producer.index()];
  } else if (inputs == memory::InputArrival::kFirstUse && !storage.readers.empty()) {
    life.first = first_read;
  }
  life.last = storage.kept               ? num_steps
              : storage.producer.valid() ? std::max(last_read, life.first) + 1
                                         : last_read + 1;
  return life;
}

}  // namespace

PeakProfile ProfilePeak(const memory::StorageGraph& graph, const memory::Schedule& schedule) {
  PeakProfile profile;
  const auto peak = std::ranges::max_element(schedule.step_bytes);
  profile.step = peak - schedule.step_bytes.begin();
  profile.op = schedule.order[static_cast<std::size_t>(profile.step)];
  profile.workspace_bytes = graph.op(profile.op).workspace_bytes;

  const std::int64_t num_steps = static_cast<std::int64_t>(schedule.order.size());
  std::vector<std::int64_t> step_of(graph.num_ops());
  for (std::int64_t step = 0; step < num_steps; ++step) {
    step_of[schedule.order[static_cast<std::size_t>(step)].index()] = step;
  }
  std::vector<Lifetime> lifetimes;
  for (std::size_t i = 0; i < graph.num_storages(); ++i) {
    lifetimes.push_back(LifetimeOf(graph.storage(memory::StorageId(i)), step_of,
                                   graph.problem().inputs, num_steps));
  }
  for (std::size_t i = 0; i < schedule.takes_over.size(); ++i) {
    if (!schedule.takes_over[i].valid()) continue;
    --lifetimes[graph.storage_of(schedule.takes_over[i]).index()].last;
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
