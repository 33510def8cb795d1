#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "opass/memory/storage.h"

namespace opass::schedulers {

struct WindowOptions {
  // No order has a lower peak (a proved bound): the search ends there.
  std::int64_t floor_bytes = 0;
  // Operators and values looked at, over all windows: a second or two.
  std::uint64_t max_work = 200'000'000;
  std::uint64_t max_nodes = 5'000;  // states branched at in one window at one budget
};

struct WindowResult {
  std::vector<memory::OpId> order;
  bool stuck = false;  // no window lowers the peak, with any work
};

// Lowers the peak of an order by reordering stretches of it, one at a time (design "scheduling",
// 1.8): around a step of the highest peak, from one state of few live bytes to another, the
// operators between them are a problem of their own and are searched for an order that needs less.
// What comes before and after is as it was, so the peak never rises. For graphs too large to be
// searched as a whole. The order is unchanged where no window helps.
WindowResult ImproveByWindows(const memory::StorageGraph& graph,
                              std::span<const memory::OpId> order,
                              const WindowOptions& options = {});

}  // namespace opass::schedulers
