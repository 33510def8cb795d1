#include "opass/schedulers/search/window_starts.h"

#include <algorithm>
#include <utility>

#include "opass/schedulers/search/both_ways.h"
#include "opass/schedulers/search/windows.h"
#include "opass/support/interrupt.h"

namespace opass::schedulers {
namespace {

constexpr std::uint64_t kWorkPerStart = 100'000'000;
constexpr std::uint64_t kWorkForBest = 400'000'000;

struct Start {
  std::vector<memory::OpId> order;
  std::int64_t peak_bytes = 0;
  bool stuck = false;
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
             std::uint64_t max_work, Start& start) {
  WindowOptions options;
  options.floor_bytes = floor_bytes;
  options.max_work = max_work;
  WindowResult improved = ImproveByWindows(graph, start.order, options);
  start = {std::move(improved.order), 0, improved.stuck};
  start.peak_bytes = PeakBytes(steps, start.order);
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
    Improve(graph, steps, floor_bytes, kWorkPerStart, all[i]);
    if (i == 0 || all[i].peak_bytes < best.peak_bytes) best = all[i];
    // Two that come to the same peak: so would the others.
    if (i > 0 && all[i].peak_bytes == all[i - 1].peak_bytes) break;
  }
  if (!best.stuck) Improve(graph, steps, floor_bytes, kWorkForBest, best);
  return std::move(best.order);
}

}  // namespace opass::schedulers
