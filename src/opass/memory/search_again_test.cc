#include "opass/memory/search_again.h"

#include <gtest/gtest.h>

#include <random>
#include <set>

#include "opass/memory/testing/brute_force.h"
#include "opass/memory/testing/random_problem.h"
#include "opass/memory/testing/simple_plan.h"
#include "opass/memory/visited_states.h"

namespace opass::memory::check {
namespace {

using Answer = SearchedAgain::Answer;

SearchedAgain Whole(const Problem& problem, std::int64_t budget_bytes, SearchLimits limits = {}) {
  const Plan plan = testing::SimplePlan(problem);
  State state{problem, plan, {}, {}, {}, {}, {}};
  EXPECT_TRUE(CheckOrder(state).ok() && CheckBuffers(state).ok() && CheckAliases(state).ok());
  const Between all{std::vector<bool>(problem.ops.size(), false),
                    std::vector<bool>(problem.ops.size(), true)};
  return SearchAgain(Recount(state), all, budget_bytes, limits);
}

TEST(SearchAgainTest, FindsAnOrderFromTheOptimumOnAndNoneBelow) {
  for (std::uint64_t seed = 0; seed < 3000; ++seed) {
    const Problem problem = testing::RandomProblem(seed, {.max_ops = 9});
    const std::int64_t optimum = testing::BruteForcePeak(problem);
    ASSERT_EQ(Whole(problem, optimum).answer, Answer::kOrder) << seed;
    ASSERT_EQ(Whole(problem, optimum - 1).answer, Answer::kNoOrder) << seed;
  }
}

TEST(SearchAgainTest, GivesUpAtItsLimits) {
  const Problem problem = testing::RandomProblem(17, {.min_ops = 14, .max_ops = 14});
  const std::int64_t budget = testing::BruteForcePeak(problem) - 1;
  const std::uint64_t states = Whole(problem, budget).states;
  ASSERT_GT(states, 3u);
  EXPECT_EQ(Whole(problem, budget, {.max_states = states - 1}).answer, Answer::kTooLarge);
  EXPECT_EQ(Whole(problem, budget, {.max_bytes = 1}).answer, Answer::kTooLarge);
}

TEST(VisitedStatesTest, AgreesWithStdSet) {
  std::mt19937_64 random(1);
  VisitedStates visited(2);
  std::set<std::pair<std::uint64_t, std::uint64_t>> known;
  for (int i = 0; i < 40'000; ++i) {
    // Few different words, so that states meet again and differ in one of them.
    const std::uint64_t state[] = {random() % 150, random() % 150 << 40};
    ASSERT_EQ(visited.Insert(state), known.emplace(state[0], state[1]).second) << i;
  }
  EXPECT_EQ(visited.size(), known.size());
}

}  // namespace
}  // namespace opass::memory::check
