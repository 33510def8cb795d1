#include "opass/allocators/best_order.h"

#include <array>

#include "opass/allocators/place_in_time.h"
#include "opass/support/interrupt.h"

namespace opass::allocators {
namespace {

constexpr std::array<Key, 2> kOrders[] = {
    {PressureKey, SizeKey},   {SizeKey, DurationKey},     {PressureKey, AreaKey},
    {AreaKey, SizeKey},       {WeightedSizeKey, SizeKey}, {DurationKey, SizeKey},
    {EarlyBirthKey, SizeKey},
};

}  // namespace

Attempt BestOrder(const BlockProblem& problem, std::uint64_t max_work, std::uint64_t& work) {
  Attempt best;
  if (CountMeetings(problem) > max_work) {
    best.bases = PlaceInTime(problem);
    best.arena_bytes = ArenaBytes(problem, best.bases);
    return best;
  }
  bool any = false;
  for (const auto& keys : kOrders) {
    const std::vector<std::size_t> order = OrderBy(problem, keys);
    for (const Fit fit : {Fit::kTightest, Fit::kLowest}) {
      std::vector<std::int64_t> bases = PlaceInOrder(problem, order, fit, work);
      const std::int64_t arena = ArenaBytes(problem, bases);
      if (!any || arena < best.arena_bytes) best = {order, fit, std::move(bases), arena};
      any = true;
      if (best.arena_bytes == problem.peak_bytes || work > max_work || Interrupted()) return best;
    }
  }
  return best;
}

}  // namespace opass::allocators
