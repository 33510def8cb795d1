// The longest-lived blocks first: they meet the most others, so they go to the bottom and the short
// ones stack above them. Good where many outputs or residual connections stay live.
#include "opass/allocators/allocator.h"
#include "opass/allocators/place_in_order.h"

namespace opass::allocators {
namespace {

Result<std::vector<std::int64_t>> Run(const BlockProblem& problem,
                                      const AllocatorOptions& options) {
  constexpr Key kKeys[] = {DurationKey, SizeKey};
  return PlaceByKeys(problem, kKeys, options.max_work);
}

}  // namespace

extern const Allocator greedy_by_duration;
constexpr Allocator greedy_by_duration = {
    "greedy_by_duration", "longest-lived block first, each at the lowest free place", Run};

}  // namespace opass::allocators
