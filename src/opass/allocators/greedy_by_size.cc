// The largest blocks first, while the arena is still without holes (Pisarchyk and Lee, MLSys 2020,
// "greedy by size"). Good where few large tensors make the peak.
#include "opass/allocators/allocator.h"
#include "opass/allocators/place_in_order.h"

namespace opass::allocators {
namespace {

Result<std::vector<std::int64_t>> Run(const BlockProblem& problem,
                                      const AllocatorOptions& options) {
  constexpr Key kKeys[] = {SizeKey, DurationKey};
  return PlaceByKeys(problem, kKeys, options.max_work);
}

}  // namespace

extern const Allocator greedy_by_size;
constexpr Allocator greedy_by_size = {"greedy_by_size",
                                      "largest block first, each at the lowest free place", Run};

}  // namespace opass::allocators
