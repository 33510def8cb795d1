#include "opass/schedulers/search/window_starts.h"

#include <algorithm>
#include <utility>

#include "opass/schedulers/search/both_ways.h"
#include "opass/schedulers/search/windows.h"
#include "opass/support/interrupt.h"

namespace opass::schedulers {
namespace {

struct Effort {
  std::uint64_t nodes;  // per window and budget
  std::uint64_t work;   // over all windows
};
// Few nodes go a long way; more are of use where no window helps with less.
constexpr Effort kEffortsPerStart[] = {{1'250, 30'000'000}, {5'000, 60'000'000}};
constexpr Effort kEffortsForBest[] = {{5'000, 400'000'000}, {50'000, 20'000'000}};

struct Start {
  std::vector<memory::OpId> order;
  std::int64_t peak_bytes = 0;
  std::uint64_t stuck_with = 0;  // no window of so many nodes helps
};

// The best first; of equals the one that stands first.
std::vector<Start> Sorted(const StepGraph& steps,
                          std::span<const std::vector<memory::OpId>> orders) {
  std::vector<Start> starts;
  for (const std::vector<memory::OpId>& order : orders) {
    const auto same = [&](const Start& other) { return other.order == order; };
    if (std::ranges::any_of(starts, same)) continue;
    starts.push_back({order, PeakBytes(steps, order)});
  }
  std::ranges::stable_sort(starts, {}, &Start::peak_bytes);
  return starts;
}

void Improve(const memory::StorageGraph& graph, const StepGraph& steps, std::int64_t floor_bytes,
             const Effort& effort, Start& start) {
  if (start.stuck_with >= effort.nodes) return;
  WindowOptions options;
  options.floor_bytes = floor_bytes;
  options.max_work = effort.work;
  options.max_nodes = effort.nodes;
  WindowResult improved = ImproveByWindows(graph, start.order, options);
  start.order = std::move(improved.order);
  start.peak_bytes = PeakBytes(steps, start.order);
  start.stuck_with = improved.stuck ? effort.nodes : 0;
}

}  // namespace

std::vector<memory::OpId> BestByWindows(const memory::StorageGraph& graph,
                                        std::span<const std::vector<memory::OpId>> starts,
                                        std::int64_t floor_bytes) {
  const StepGraph steps(graph);
  std::vector<Start> all = Sorted(steps, starts);
  if (all.empty()) return {};
  Start best = all.front();
  const std::int64_t too_high = best.peak_bytes + best.peak_bytes / 2;
  for (std::size_t i = 0; i < all.size() && all[i].peak_bytes <= too_high; ++i) {
    if (best.peak_bytes <= floor_bytes || Interrupted()) return std::move(best.order);
    for (const Effort& effort : kEffortsPerStart) {
      Improve(graph, steps, floor_bytes, effort, all[i]);
    }
    if (i == 0 || all[i].peak_bytes < best.peak_bytes) best = all[i];
    // Two that come to the same peak: so would the others.
    if (i > 0 && all[i].peak_bytes == all[i - 1].peak_bytes) break;
  }
  for (const Effort& effort : kEffortsForBest) Improve(graph, steps, floor_bytes, effort, best);
  return std::move(best.order);
}

}  // namespace opass::schedulers
