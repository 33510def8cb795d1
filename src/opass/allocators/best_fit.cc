// Several orders of the blocks, each placed in the tightest gaps and at the lowest places; the
// lowest arena is kept.
#include "opass/allocators/allocator.h"
#include "opass/allocators/best_order.h"

namespace opass::allocators {
namespace {

Result<std::vector<std::int64_t>> Run(const BlockProblem& problem,
                                      const AllocatorOptions& options) {
  std::uint64_t work = 0;
  return BestOrder(problem, options.max_work, work).bases;
}

}  // namespace

extern const Allocator best_fit;
constexpr Allocator best_fit = {
    "best_fit", "the best of seven orders, each in the tightest gaps and at the lowest places",
    Run};

}  // namespace opass::allocators
