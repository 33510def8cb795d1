// Starts from the order that best_fit likes most and changes it: a block that ends at the top of
// the arena is placed earlier, so that it gets a lower place and others move out of its way. A
// change is kept unless the arena grows, so that plateaus are crossed. Ends at the peak, or with
// its work.
#include <algorithm>
#include <random>

#include "opass/allocators/allocator.h"
#include "opass/allocators/best_order.h"
#include "opass/support/interrupt.h"

namespace opass::allocators {
namespace {

// The position before which a block at the top of the arena is to be placed, and its own.
struct Move {
  std::size_t from = 0;
  std::size_t to = 0;
};

// A block of the top, and one of those placed before it that it meets in time: the others cannot be
// what lifts it.
Move DrawMove(const BlockProblem& problem, const Attempt& current, std::mt19937_64& random) {
  const auto block = [&](std::size_t position) -> const Block& {
    return problem.blocks[current.order[position]];
  };
  std::vector<std::size_t> positions;
  for (std::size_t i = 0; i < current.order.size(); ++i) {
    if (current.bases[current.order[i]] + block(i).size_bytes == current.arena_bytes) {
      positions.push_back(i);
    }
  }
  Move move;
  move.from = positions[random() % positions.size()];
  positions.clear();
  for (std::size_t i = 0; i < move.from; ++i) {
    if (block(i).first < block(move.from).last && block(move.from).first < block(i).last) {
      positions.push_back(i);
    }
  }
  move.to = positions.empty() ? move.from : positions[random() % positions.size()];
  return move;
}

Result<std::vector<std::int64_t>> Run(const BlockProblem& problem,
                                      const AllocatorOptions& options) {
  std::uint64_t work = 0;
  Attempt current = BestOrder(problem, options.max_work / 4, work);
  if (current.order.empty()) return std::move(current.bases);
  std::mt19937_64 random(options.seed);
  std::vector<std::size_t> order;
  // Small problems have few different orders: they end when nothing has helped for a while.
  const std::size_t patience = 20 + 2 * problem.blocks.size();
  std::size_t tries = 0;
  work = 0;
  while (current.arena_bytes > problem.peak_bytes && work < options.max_work / 16 &&
         tries++ < patience && !Interrupted()) {
    const Move move = DrawMove(problem, current, random);
    order = current.order;
    const auto place = [&](std::size_t i) {
      return order.begin() + static_cast<std::ptrdiff_t>(i);
    };
    std::rotate(place(move.to), place(move.from), place(move.from) + 1);
    std::vector<std::int64_t> bases = PlaceInOrder(problem, order, current.fit, work);
    const std::int64_t arena = ArenaBytes(problem, bases);
    if (arena > current.arena_bytes) continue;
    if (arena < current.arena_bytes) tries = 0;
    current.order.swap(order);
    current.bases = std::move(bases);
    current.arena_bytes = arena;
  }
  return std::move(current.bases);
}

}  // namespace

extern const Allocator hill_climb;
constexpr Allocator hill_climb = {
    "hill_climb", "best_fit, then blocks at the top of the arena are placed earlier", Run};

}  // namespace opass::allocators
