#include "opass/allocators/place_in_order.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "opass/allocators/place_in_time.h"
#include "opass/allocators/placed_pieces.h"
#include "opass/support/bytes.h"
#include "opass/support/interrupt.h"

namespace opass::allocators {

std::int64_t SizeKey(const BlockProblem&, const Block& block) { return block.size_bytes; }
std::int64_t DurationKey(const BlockProblem&, const Block& block) {
  return block.last - block.first;
}
std::int64_t AreaKey(const BlockProblem&, const Block& block) { return block.area; }
std::int64_t EarlyBirthKey(const BlockProblem&, const Block& block) { return -block.first; }

std::int64_t WeightedSizeKey(const BlockProblem&, const Block& block) {
  // A whole number, so that the order is the same everywhere; two bits finer than the plain root.
  const double steps = static_cast<double>(16 * (block.last - block.first));
  const auto root = static_cast<std::int64_t>(std::sqrt(steps));
  return CheckedMul(block.size_bytes, root).value_or(std::numeric_limits<std::int64_t>::max());
}

std::int64_t PressureKey(const BlockProblem&, const Block& block) { return block.pressure_bytes; }

std::vector<std::size_t> OrderBy(const BlockProblem& problem, std::span<const Key> keys) {
  std::vector<std::vector<std::int64_t>> rank(problem.blocks.size());
  std::vector<std::size_t> order(problem.blocks.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    order[i] = i;
    for (const Key key : keys) rank[i].push_back(-key(problem, problem.blocks[i]));
    rank[i].push_back(problem.blocks[i].first);
  }
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return rank[a] < rank[b]; });
  return order;
}

namespace {

// Bases strictly between `low` and `high` would make two pieces overlap.
struct Forbidden {
  std::int64_t low;
  std::int64_t high;
};

std::int64_t FindBase(std::vector<Forbidden>& forbidden, Fit fit) {
  std::sort(forbidden.begin(), forbidden.end(),
            [](const Forbidden& a, const Forbidden& b) { return a.low < b.low; });
  std::int64_t base = 0;
  std::int64_t best_base = -1;
  std::int64_t best_room = std::numeric_limits<std::int64_t>::max();
  for (const Forbidden& range : forbidden) {
    if (range.low >= base) {
      if (fit == Fit::kLowest) return base;
      if (range.low - base < best_room) {
        best_room = range.low - base;
        best_base = base;
      }
    }
    base = std::max(base, range.high);
  }
  return best_base >= 0 ? best_base : base;
}

}  // namespace

std::vector<std::int64_t> PlaceInOrder(const BlockProblem& problem,
                                       std::span<const std::size_t> order, Fit fit,
                                       std::uint64_t& work) {
  std::vector<std::int64_t> bases(problem.blocks.size(), 0);
  PlacedPieces placed(problem.num_steps);
  std::vector<Forbidden> forbidden;
  for (const std::size_t number : order) {
    if (Interrupted()) return PlaceInTime(problem);
    const Block& block = problem.blocks[number];
    forbidden.clear();
    for (const Piece& piece : block.pieces) {
      placed.ForEachLiveIn(piece.first, piece.last, [&](const PlacedPieces::Span& other) {
        forbidden.push_back(
            {other.begin - piece.delta_bytes - piece.size_bytes, other.end - piece.delta_bytes});
      });
    }
    work += forbidden.size() + 1;
    bases[number] = FindBase(forbidden, fit);
    for (const Piece& piece : block.pieces) {
      const std::int64_t begin = bases[number] + piece.delta_bytes;
      placed.Add({begin, begin + piece.size_bytes}, piece.first, piece.last);
    }
  }
  return bases;
}

std::vector<std::int64_t> PlaceByKeys(const BlockProblem& problem, std::span<const Key> keys,
                                      std::uint64_t max_work) {
  if (CountMeetings(problem) > max_work) return PlaceInTime(problem);
  std::uint64_t work = 0;
  return PlaceInOrder(problem, OrderBy(problem, keys), Fit::kLowest, work);
}

}  // namespace opass::allocators
