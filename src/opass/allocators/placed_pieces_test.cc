#include "opass/allocators/placed_pieces.h"

#include <gtest/gtest.h>

#include <random>
#include <set>

namespace opass::allocators {
namespace {

TEST(PlacedPiecesTest, FindsExactlyThePiecesThatMeet) {
  std::mt19937_64 random(5);
  for (int round = 0; round < 300; ++round) {
    const auto steps = static_cast<std::int64_t>(1 + random() % 20);
    const auto draw = [&] {
      const auto first = static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(steps));
      const auto more = random() % static_cast<std::uint64_t>(steps - first);
      return std::pair(first, first + 1 + static_cast<std::int64_t>(more));
    };
    PlacedPieces placed(steps);
    std::vector<std::pair<std::int64_t, std::int64_t>> lives;
    for (std::int64_t i = 0; i < 12; ++i) {
      lives.push_back(draw());
      placed.Add({i, i + 1}, lives.back().first, lives.back().second);
      const auto [first, last] = draw();
      std::multiset<std::int64_t> found;
      placed.ForEachLiveIn(first, last,
                           [&](const PlacedPieces::Span& span) { found.insert(span.begin); });
      std::multiset<std::int64_t> expected;
      for (std::size_t j = 0; j < lives.size(); ++j) {
        if (lives[j].first < last && first < lives[j].second) {
          expected.insert(static_cast<std::int64_t>(j));
        }
      }
      ASSERT_EQ(found, expected);
    }
  }
}

}  // namespace
}  // namespace opass::allocators
