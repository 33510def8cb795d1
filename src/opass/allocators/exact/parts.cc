#include "opass/allocators/exact/parts.h"

#include <algorithm>

namespace opass::allocators::exact_offsets {
namespace {

std::size_t Index(std::int32_t i) { return static_cast<std::size_t>(i); }

}  // namespace

std::int32_t LiftFullWidth(const Instance& instance, const Part& part, std::int32_t capacity,
                           FitState& state, std::vector<std::int32_t>& offsets) {
  const auto lift = [&](std::int32_t b) {
    if (instance.first[Index(b)] > part.low || instance.last[Index(b)] < part.high) return false;
    capacity -= instance.size[Index(b)];
    offsets[Index(b)] = capacity;
    for (std::int32_t s = part.low; s < part.high; ++s) {
      state.rest[Index(s)] -= instance.size[Index(b)];
    }
    return true;
  };
  std::erase_if(state.buffers, lift);
  return capacity;
}

void SplitIntoParts(const Instance& instance, const FitState& state, const Part& part,
                    std::int32_t capacity, std::vector<std::int32_t>& reach,
                    std::vector<Part>& parts) {
  // Per section: the furthest end of its births.
  std::fill(reach.begin() + part.low, reach.begin() + part.high, 0);
  for (const std::int32_t b : state.buffers) {
    std::int32_t& end = reach[Index(instance.first[Index(b)])];
    end = std::max(end, instance.last[Index(b)]);
  }
  parts.clear();
  std::int32_t end = 0;
  for (std::int32_t s = part.low; s < part.high; ++s) {
    if (reach[Index(s)] == 0) continue;
    if (s >= end) parts.push_back({s, s});
    end = std::max(end, reach[Index(s)]);
    parts.back().high = end;
  }
  if (parts.size() < 2) return;
  const auto slack = [&](const Part& some) {
    std::int32_t least = capacity;
    for (std::int32_t s = some.low; s < some.high; ++s) {
      least = std::min(least, capacity - state.floor[Index(s)] - state.rest[Index(s)]);
    }
    return least;
  };
  std::stable_sort(parts.begin(), parts.end(),
                   [&](const Part& a, const Part& b) { return slack(a) < slack(b); });
}

}  // namespace opass::allocators::exact_offsets
