#include "opass/schedulers/search/state_set.h"

#include <gtest/gtest.h>

#include <array>
#include <random>
#include <set>

namespace opass::schedulers {
namespace {

using State = std::array<std::uint64_t, 2>;

TEST(StateSetTest, EqualHashesAreNotEqualStates) {
  StateSet set(2);
  EXPECT_FALSE(set.Contains(State{1, 2}, 7));
  set.Insert(State{1, 2}, 7);
  EXPECT_TRUE(set.Contains(State{1, 2}, 7));
  EXPECT_FALSE(set.Contains(State{1, 3}, 7));
  EXPECT_FALSE(set.Contains(State{0, 2}, 7));
  set.Insert(State{1, 2}, 7);
  EXPECT_EQ(set.size(), 1u);
}

TEST(StateSetTest, AgreesWithStdSetUnderBadHashes) {
  std::mt19937_64 random(1);
  StateSet set(2);
  std::set<State> expected;
  for (int i = 0; i < 20'000; ++i) {
    const State state{random() % 100, random() % 100};
    const std::uint64_t hash = (state[0] % 8) << 32 | state[1] % 16;
    ASSERT_EQ(set.Contains(state, hash), expected.contains(state));
    if (random() % 2 == 0) continue;
    set.Insert(state, hash);
    expected.insert(state);
    ASSERT_EQ(set.size(), expected.size());
  }
  EXPECT_GT(set.num_bytes(), expected.size() * sizeof(State));
}

}  // namespace
}  // namespace opass::schedulers
