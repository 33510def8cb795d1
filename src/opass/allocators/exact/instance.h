#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

// The exact search for offsets: plain buffers of fixed lifetimes, the least height. It knows no
// blocks and no plans; the allocator `exact` poses its problem to it.
namespace opass::allocators::exact_offsets {

// `size_bytes` during the steps [first, last); not of size 0 and not of no steps.
struct Rectangle {
  std::int64_t size_bytes = 0;
  std::int64_t first = 0;
  std::int64_t last = 0;
};

// The same with what does not matter taken away. Sizes are divided by their greatest common
// divisor. Steps are replaced by sections, the maximal sets of buffers that live together: two
// lifetimes meet exactly when they share such a set, so nothing is lost.
struct Instance {
  std::int64_t unit_bytes = 1;
  std::int32_t num_sections = 0;
  std::vector<std::int32_t> first;  // per buffer: sections, half-open
  std::vector<std::int32_t> last;
  std::vector<std::int32_t> size;    // per buffer, in units
  std::vector<double> steps;         // per buffer: how long it lives, for orders only
  std::vector<std::int32_t> load;    // per section: the sizes of its buffers
  std::int32_t max_load = 0;         // no height is less
  std::vector<std::int32_t> family;  // per buffer: a number for each different lifetime

  std::size_t num_buffers() const { return size.size(); }
  bool Meets(std::int32_t a, std::int32_t b) const;
};

// Nothing when all sizes together have more than 2^30 units: the search counts in 32 bits.
std::optional<Instance> MakeInstance(std::span<const Rectangle> rectangles);

}  // namespace opass::allocators::exact_offsets
