#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace opass::memory::check {

inline constexpr std::size_t kNoFamily = static_cast<std::size_t>(-1);

// Bytes that somebody owns for a while.
struct Extent {
  std::int64_t begin = 0;  // bytes, half-open
  std::int64_t end = 0;
  std::int64_t first = 0;  // steps, half-open
  std::int64_t last = 0;
  std::size_t family = kNoFamily;        // none for a workspace
  std::size_t taken_family = kNoFamily;  // the family whose bytes it takes over, or none
};

struct Overlap {
  std::size_t earlier = 0;  // numbers of extents: the one born first, or at the same step
  std::size_t later = 0;
};

// Two extents that own a byte in the same step, if there are any. Not counted: an extent that takes
// over the bytes of another one, at the last step of that one. A sweep over the steps,
// O(extents log extents).
std::optional<Overlap> FindOverlap(std::span<const Extent> extents);

}  // namespace opass::memory::check
