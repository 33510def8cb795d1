#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "opass/allocators/exact/instance.h"

namespace opass::allocators::exact_offsets {

struct MinimiseOptions {
  std::uint64_t seed = 0;
  std::uint64_t max_nodes = 100'000;
  int threads = 1;  // changes the time, not the answer
  // When given, seconds also end the search: the answer then depends on the machine.
  std::optional<double> max_seconds = std::nullopt;
  // When given, ends when this height is reached or refuted; in units.
  std::optional<std::int32_t> capacity = std::nullopt;
  bool use_symmetry = true;  // off only to test the rules
};

struct Layout {
  std::vector<std::int32_t> offsets;  // per buffer, in units
  std::int32_t height = 0;
};

struct Minimised {
  Layout best;  // never worse than the one given
  // No layout is lower: the largest load, or one more than a height refuted by exhausted search.
  std::int32_t lower_bound = 0;
  std::uint64_t nodes = 0;
};

// Restarts in rounds. A round runs a fixed number of searches, each with settings and a capacity
// between bound and incumbent of its own, the fixed orders first at the bound; what they find is
// taken over in the order of their numbers when all have ended. `start` must be a layout without
// overlaps.
Minimised Minimise(const Instance& instance, Layout start, const MinimiseOptions& options);

// Without overlaps, from offset 0 up, and of the height it says.
bool IsValid(const Instance& instance, const Layout& layout);

}  // namespace opass::allocators::exact_offsets
