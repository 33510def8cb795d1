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

std::int64_t FindBase(const Block& block, std::vector<Forbidden>& forbidden, Fit fit) {
  std::sort(forbidden.begin(), forbidden.end(),
            [](const Forbidden& a, const Forbidden& b) { return a.low < b.low; });
  std::int64_t base = AlignedUp(block, 0);
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
    if (range.high > base) base = AlignedUp(block, range.high);
  }
  return best_base >= 0 ? best_base : base;
}

// Block after block, each where nothing is yet.
class InOrder {
 public:
  InOrder(const BlockProblem& problem, std::vector<std::int64_t>& bases)
      : problem_(problem), bases_(bases), placed_(problem.num_steps) {
    for (std::size_t i = 0; i < bases_.size(); ++i) {
      if (const auto base = problem.blocks[i].fixed_base) PutAt(i, *base);
    }
  }

  // Returns how many pieces it compared.
  std::size_t Place(std::size_t number, Fit fit) {
    if (problem_.blocks[number].fixed_base) return 0;
    PutAt(number, Find(number, fit));
    return forbidden_.size() + 1;
  }

  // Where it would lie.
  std::int64_t Find(std::size_t number, Fit fit) {
    const Block& block = problem_.blocks[number];
    forbidden_.clear();
    for (const Piece& piece : block.pieces) {
      const auto forbid = [&](std::int64_t begin, std::int64_t end) {
        forbidden_.push_back(
            {begin - piece.delta_bytes - piece.size_bytes, end - piece.delta_bytes});
      };
      placed_.ForEachLiveIn(piece.first, piece.last, [&](const PlacedPieces::Span& other) {
        forbid(other.begin, other.end);
      });
      for (const ByteRange& range : problem_.forbidden) forbid(range.begin, range.end);
    }
    return FindBase(block, forbidden_, fit);
  }

 private:
  void PutAt(std::size_t number, std::int64_t base) {
    bases_[number] = base;
    for (const Piece& piece : problem_.blocks[number].pieces) {
      const std::int64_t begin = base + piece.delta_bytes;
      placed_.Add({begin, begin + piece.size_bytes}, piece.first, piece.last);
    }
  }

  const BlockProblem& problem_;
  std::vector<std::int64_t>& bases_;
  PlacedPieces placed_;
  std::vector<Forbidden> forbidden_;
};

}  // namespace

std::vector<std::int64_t> PlaceInOrder(const BlockProblem& problem,
                                       std::span<const std::size_t> order, Fit fit,
                                       std::uint64_t& work) {
  std::vector<std::int64_t> bases(problem.blocks.size(), 0);
  InOrder placed(problem, bases);
  for (const std::size_t number : order) {
    if (Interrupted()) return PlaceInTime(problem);
    work += placed.Place(number, fit);
  }
  return bases;
}

std::vector<std::int64_t> LeastBases(const BlockProblem& problem) {
  std::vector<std::int64_t> bases(problem.blocks.size(), 0);
  InOrder placed(problem, bases);  // the fixed ones
  for (std::size_t i = 0; i < bases.size(); ++i) {
    if (!problem.blocks[i].fixed_base) bases[i] = placed.Find(i, Fit::kLowest);
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
