#include "opass/allocators/choose_pools.h"

#include <algorithm>

namespace opass::allocators {
namespace {

// The bytes that live in a pool, per step where something is born or dies.
class Load {
 public:
  explicit Load(const std::vector<std::int64_t>& steps)
      : steps_(steps), bytes_(steps.size() + 1, 0) {}

  // The most bytes in a step of the block's life if it lay here.
  std::int64_t With(const Block& block) const {
    std::int64_t most = 0;
    for (const Piece& piece : block.pieces) {
      const auto [first, last] = Numbers(piece);
      const auto begin = bytes_.begin();
      most = std::max(most, piece.size_bytes + *std::max_element(begin + first, begin + last));
    }
    return most;
  }

  void Add(const Block& block) {
    for (const Piece& piece : block.pieces) {
      const auto [first, last] = Numbers(piece);
      for (auto k = first; k < last; ++k) bytes_[static_cast<std::size_t>(k)] += piece.size_bytes;
    }
  }

 private:
  struct Range {
    std::ptrdiff_t first;
    std::ptrdiff_t last;
  };
  Range Numbers(const Piece& piece) const {
    const auto number = [&](std::int64_t step) {
      return std::lower_bound(steps_.begin(), steps_.end(), step) - steps_.begin();
    };
    return {number(piece.first), number(piece.last)};
  }

  const std::vector<std::int64_t>& steps_;
  std::vector<std::int64_t> bytes_;
};

}  // namespace

std::vector<std::size_t> ChoosePools(std::span<const Unit> units, std::span<const UnitBlock> blocks,
                                     std::span<const std::int64_t> room_bytes) {
  std::vector<std::int64_t> steps;
  std::vector<std::size_t> free;
  std::vector<std::size_t> pools;
  for (std::size_t u = 0; u < units.size(); ++u) {
    pools.push_back(units[u].pool);
    if (units[u].pool == kAnyPool) free.push_back(u);
    for (const Piece& piece : blocks[u].block.pieces) {
      steps.insert(steps.end(), {piece.first, piece.last});
    }
  }
  std::sort(steps.begin(), steps.end());
  steps.erase(std::unique(steps.begin(), steps.end()), steps.end());
  std::vector<Load> loads(room_bytes.size(), Load(steps));
  for (std::size_t u = 0; u < units.size(); ++u) {
    if (pools[u] != kAnyPool) loads[pools[u]].Add(blocks[u].block);
  }
  std::stable_sort(free.begin(), free.end(), [&](std::size_t a, std::size_t b) {
    return blocks[a].block.size_bytes > blocks[b].block.size_bytes;
  });
  for (const std::size_t u : free) {
    std::int64_t least_excess = 0;
    for (std::size_t p = 0; p < loads.size(); ++p) {
      const std::int64_t excess =
          std::max<std::int64_t>(0, loads[p].With(blocks[u].block) - room_bytes[p]);
      if (pools[u] != kAnyPool && excess >= least_excess) continue;
      least_excess = excess;
      pools[u] = p;
    }
    loads[pools[u]].Add(blocks[u].block);
  }
  return pools;
}

}  // namespace opass::allocators
