// Several orders, each placed twice: at the lowest place and in the tightest gap. The lowest arena
// is kept; no further try when it equals the peak or the work is used up. The orders that put the
// steps of highest pressure first leave the least waste on large graphs (design "allocation" 4).
#include <array>

#include "opass/allocators/allocator.h"
#include "opass/allocators/place_in_order.h"

namespace opass::allocators {
namespace {

constexpr std::array<Key, 2> kOrders[] = {
    {PressureKey, SizeKey},   {SizeKey, DurationKey},     {PressureKey, AreaKey},
    {AreaKey, SizeKey},       {WeightedSizeKey, SizeKey}, {DurationKey, SizeKey},
    {EarlyBirthKey, SizeKey},
};

Result<std::vector<std::int64_t>> Run(const BlockProblem& problem,
                                      const AllocatorOptions& options) {
  std::vector<std::int64_t> best;
  std::int64_t best_arena = 0;
  std::uint64_t work = 0;
  for (const auto& keys : kOrders) {
    const std::vector<std::size_t> order = OrderBy(problem, keys);
    for (const Fit fit : {Fit::kTightest, Fit::kLowest}) {
      std::vector<std::int64_t> bases = PlaceInOrder(problem, order, fit, work);
      const std::int64_t arena = ArenaBytes(problem, bases);
      if (best.empty() || arena < best_arena) {
        best_arena = arena;
        best = std::move(bases);
      }
      if (best_arena == problem.peak_bytes || work > options.max_work) return best;
    }
  }
  return best;
}

}  // namespace

extern const Allocator best_fit;
constexpr Allocator best_fit = {"best_fit",
                                "the best of seven orders, each in lowest and tightest gaps", Run};

}  // namespace opass::allocators
