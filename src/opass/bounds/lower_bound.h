#pragma once

#include <cstdint>
#include <limits>
#include <span>

#include "opass/memory/certificate.h"
#include "opass/memory/storage.h"

namespace opass::bounds {

struct LowerBoundOptions {
  // Stop as soon as a bound reaches it: the peak of the best order known.
  std::int64_t stop_at = std::numeric_limits<std::int64_t>::max();
  // Work for minimum cuts, in operators and edges looked at: about a second, a few where memory is
  // far apart.
  std::uint64_t max_work = 150'000'000;
  // A topological order, the better the faster: an operator whose step in it needs no more than the
  // bound found so far cannot raise the bound. Empty: the file order.
  std::span<const memory::OpId> order = {};
};

// Bytes that no order can go below, and why: the bytes before or after all steps, then the largest
// operator, then minimum cuts for the operators that promise most. Stops early, with what it
// has, at `stop_at`, at the end of its work, or when interrupted.
memory::Certificate LowerBound(const memory::StorageGraph& graph,
                               const LowerBoundOptions& options = {});

}  // namespace opass::bounds
