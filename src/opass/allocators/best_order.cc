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

// Of the work for many blocks, whose orders leave little waste however they are placed.
constexpr std::uint64_t kPartForMany = 16;

Attempt InTime(const BlockProblem& problem) {
  Attempt attempt;
  attempt.bases = PlaceInTime(problem);
  attempt.arena_bytes = ArenaBytes(problem, attempt.bases);
  return attempt;
}

}  // namespace

Attempt BestOrder(const BlockProblem& problem, std::uint64_t max_work, std::uint64_t& work) {
  const bool is_many = problem.blocks.size() > kManyBlocks;
  if (is_many) max_work /= kPartForMany;
  const bool is_too_much = CountMeetings(problem) > max_work;
  Attempt best;
  bool any = is_many || is_too_much;
  if (any) {
    best = InTime(problem);
    if (is_too_much || best.arena_bytes == problem.peak_bytes) return best;
  }
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
