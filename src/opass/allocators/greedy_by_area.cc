// The blocks that take the most of the arena's time first: between greedy_by_size and
// greedy_by_duration.
#include "opass/allocators/allocator.h"
#include "opass/allocators/place_in_order.h"

namespace opass::allocators {
namespace {

Result<std::vector<std::int64_t>> Run(const BlockProblem& problem,
                                      const AllocatorOptions& options) {
  constexpr Key kKeys[] = {AreaKey, SizeKey};
  return PlaceByKeys(problem, kKeys, options.max_work);
}

}  // namespace

extern const Allocator greedy_by_area;
constexpr Allocator greedy_by_area = {
    "greedy_by_area", "largest bytes times steps first, each at the lowest free place", Run};

}  // namespace opass::allocators
