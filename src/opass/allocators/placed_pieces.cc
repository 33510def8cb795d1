#include "opass/allocators/placed_pieces.h"

#include <bit>

namespace opass::allocators {

PlacedPieces::PlacedPieces(std::int64_t num_steps)
    : leaves_(std::bit_ceil(static_cast<std::size_t>(num_steps))),
      spanning_(2 * leaves_),
      below_(2 * leaves_) {}

void PlacedPieces::Add(Span bytes, std::int64_t first, std::int64_t last) {
  const auto piece = static_cast<std::uint32_t>(spans_.size());
  spans_.push_back(bytes);
  met_.push_back(0);
  const auto span = [&](std::size_t node) {
    spanning_[node].push_back(piece);
    for (node /= 2; node > 0; node /= 2) {
      // A path that another node of this piece has marked is marked up to the root.
      if (!below_[node].empty() && below_[node].back() == piece) break;
      below_[node].push_back(piece);
    }
  };
  std::size_t low = leaves_ + static_cast<std::size_t>(first);
  std::size_t high = leaves_ + static_cast<std::size_t>(last) - 1;
  for (; low <= high; low /= 2, high /= 2) {
    if (low % 2 == 1) span(low++);
    if (high % 2 == 0) span(high--);
    if (low > high) break;
  }
}

}  // namespace opass::allocators
