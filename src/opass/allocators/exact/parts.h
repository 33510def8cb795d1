#pragma once

#include <cstdint>
#include <vector>

#include "opass/allocators/exact/fit_state.h"
#include "opass/allocators/exact/instance.h"

// What both searches do with a state before they decide anything about it.
namespace opass::allocators::exact_offsets {

// A buffer that lives in the whole part can be pulled out of any solution and, when all above it
// has fallen by its size, be put on top. Its head is the highest of the part, so the test of
// Propagate has made sure that it fits there. Writes the offsets of those it takes out of `state`
// and returns the capacity left below them.
std::int32_t LiftFullWidth(const Instance& instance, const Part& part, std::int32_t capacity,
                           FitState& state, std::vector<std::int32_t>& offsets);

// The parts of `part` that no buffer of `state` crosses, the one with the least slack first.
// `reach` is work space for one number a section.
void SplitIntoParts(const Instance& instance, const FitState& state, const Part& part,
                    std::int32_t capacity, std::vector<std::int32_t>& reach,
                    std::vector<Part>& parts);

inline bool LivesWithin(const Instance& instance, std::int32_t buffer, const Part& part) {
  const auto b = static_cast<std::size_t>(buffer);
  return instance.first[b] >= part.low && instance.last[b] <= part.high;
}

}  // namespace opass::allocators::exact_offsets
