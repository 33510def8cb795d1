#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "opass/allocators/buffer_list.h"
#include "opass/support/result.h"

namespace opass::allocators {

struct AllocateOptions {
  std::uint64_t seed = 0;
  int threads = 1;                                            // changes the time, not the answer
  std::optional<std::int64_t> capacity_bytes = std::nullopt;  // ends when this is decided
  // Search for so long instead of a fixed amount of work: the answer depends on the machine.
  std::optional<double> max_seconds = std::nullopt;
};

struct Allocation {
  std::vector<std::int64_t> offsets;
  std::int64_t arena_bytes = 0;
  std::int64_t max_live_bytes = 0;
  // max_live_bytes, or above it where every lower arena was refuted by a search that ended.
  std::int64_t lower_bound_bytes = 0;
};

// The lowest arena found: first the allocator hill_climb, then, for up to some thousand buffers,
// the exact search. The result has passed CheckOffsets; an error (kInternal) is our own bug.
Result<Allocation> AllocateList(std::span<const ListedBuffer> buffers,
                                const AllocateOptions& options);

}  // namespace opass::allocators
