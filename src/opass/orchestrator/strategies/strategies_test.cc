#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <string>
#include <utility>

#include "opass/orchestrator/strategies/strategy.h"
#include "opass/orchestrator/testing/toy_domain.h"

namespace opass::orchestrator {
namespace {

Found Solve(const ToyProblem& problem, const std::string& strategy,
            const SearchOptions& options = {}) {
  ToyDomain domain(problem);
  Result<Found> found = Orchestrate(domain, *FindStrategy(strategy), options);
  EXPECT_TRUE(found.ok());
  EXPECT_LE(found->counts.evaluations, std::max<std::int64_t>(options.max_evaluations, 1));
  return *std::move(found);
}

std::string Text(const Found& found) {
  std::string text = std::to_string(found.cost.peak_bytes);
  for (const FoundStep& step : found.path) text += "\n" + step.name;
  for (const Attempt& attempt : found.attempts) {
    text += "\n" + attempt.name + std::to_string(attempt.num_trials);
  }
  return text + "\n" + std::to_string(found.counts.evaluations);
}

TEST(StrategiesTest, AreFoundByName) {
  for (const char* name : {"anneal", "beam", "default", "greedy", "none", "opass", "random"}) {
    ASSERT_NE(FindStrategy(name), nullptr) << name;
    EXPECT_FALSE(FindStrategy(name)->summary.empty());
  }
  EXPECT_EQ(FindStrategy("best"), nullptr);
}

TEST(StrategiesTest, OpassFindsTheBestWordAndGreedyDoesNot) {
  SearchOptions options;
  options.max_evaluations = 60;
  for (const int num_locks : {1, 3, 5}) {
    EXPECT_EQ(Solve(Locks(num_locks), "opass", options).cost.peak_bytes, kLocksBestPeak);
    EXPECT_EQ(Solve(Locks(num_locks), "greedy", options).cost.peak_bytes, kLocksGreedyPeak);
    EXPECT_EQ(Solve(Locks(num_locks), "default", options).cost.peak_bytes, kLocksGreedyPeak);
    EXPECT_EQ(Solve(Locks(num_locks), "none", options).cost.peak_bytes, kLocksStartPeak);
  }
}

TEST(StrategiesTest, TheResultHoldsOnlyWhatPays) {
  const Found found = Solve(Locks(3), "opass");
  ASSERT_EQ(found.path.size(), 3);
  EXPECT_EQ(found.path[0].name, "turn at 3 sites");
  EXPECT_EQ(found.path[1].name, "open at 3 sites");
  EXPECT_EQ(found.path[2].name, "cut at 3 sites");
}

TEST(StrategiesTest, OpassFindsTheBestWordOfBlackBoxes) {
  ToyProblem problem = Locks(3);
  problem.is_black_box = true;
  SearchOptions options;
  options.max_evaluations = 60;
  const Found found = Solve(problem, "opass", options);
  EXPECT_EQ(found.cost.peak_bytes, kLocksBestPeak);
  EXPECT_EQ(found.path.size(), 3);
  EXPECT_GT(found.counts.no_changes, 0);
  EXPECT_EQ(Solve(problem, "greedy", options).cost.peak_bytes, kLocksGreedyPeak);
}

// Orders of the rules at random, so that no strategy owes its success to the order of the list:
// mean evaluations of opass are lower than those of every other strategy.
TEST(StrategiesTest, OpassSolvesMoreLocksThanOthers) {
  std::map<std::string, int> solved;
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    for (const int num_locks : {2, 4}) {
      for (const bool is_black_box : {false, true}) {
        ToyProblem problem = Locks(num_locks);
        problem.is_black_box = is_black_box;
        std::mt19937_64 random(seed);
        for (std::size_t i = problem.rules.size(); i > 1; --i) {
          std::swap(problem.rules[i - 1], problem.rules[random() % i]);
        }
        SearchOptions options;
        options.max_evaluations = 60;
        options.seed = seed;
        for (const Strategy& strategy : Strategies()) {
          const Found found = Solve(problem, std::string(strategy.name), options);
          solved[std::string(strategy.name)] += found.cost.peak_bytes == kLocksBestPeak ? 1 : 0;
        }
      }
    }
  }
  for (const auto& [name, count] : solved) {
    if (name == "opass") continue;
    EXPECT_LT(count, solved["opass"]) << name;
  }
  EXPECT_GE(solved["opass"], 20);  // of 24
  EXPECT_EQ(solved["greedy"], 0);
}

TEST(StrategiesTest, SameSeedSameAnswer) {
  for (const Strategy& strategy : Strategies()) {
    for (const std::uint64_t seed : {0, 1, 2}) {
      SearchOptions options;
      options.seed = seed;
      options.max_evaluations = 40;
      const std::string name(strategy.name);
      EXPECT_EQ(Text(Solve(Locks(3), name, options)), Text(Solve(Locks(3), name, options))) << name;
    }
  }
}

TEST(StrategiesTest, NeverMoreEvaluationsThanAllowed) {
  for (const Strategy& strategy : Strategies()) {
    for (const std::int64_t budget : {0, 1, 2, 3, 7, 20}) {
      SearchOptions options;
      options.max_evaluations = budget;
      Solve(Locks(4), std::string(strategy.name), options);  // checks it
    }
  }
}

TEST(StrategiesTest, NeverWorseThanTheStart) {
  ToyProblem problem;
  problem.start = "ab";
  problem.rules = {{"grow", "a", "c"}, {"longer", "b", "de"}};
  problem.weights = {{'a', 2}, {'b', 1}, {'c', 5}};
  problem.default_order = {"grow", "longer"};
  for (const Strategy& strategy : Strategies()) {
    SearchOptions options;
    options.max_evaluations = 30;
    const Found found = Solve(problem, std::string(strategy.name), options);
    EXPECT_EQ(found.state, kStart) << strategy.name;
    EXPECT_TRUE(found.path.empty());
  }
}

TEST(StrategiesTest, NothingToDo) {
  ToyProblem problem;
  problem.start = "x";
  for (const Strategy& strategy : Strategies()) {
    const Found found = Solve(problem, std::string(strategy.name));
    EXPECT_EQ(found.state, kStart) << strategy.name;
    EXPECT_EQ(found.counts.evaluations, 1);
  }
}

TEST(StrategiesTest, OpassEndsWhenAllIsTried) {
  ToyProblem problem = Locks(1);
  SearchOptions options;
  options.max_evaluations = 100000;
  const Found found = Solve(problem, "opass", options);
  EXPECT_LT(found.counts.evaluations, 40);
  EXPECT_EQ(found.cost.peak_bytes, kLocksBestPeak);
}

// Six heavy letters, to be lightened one after the other: only the norm tells that it pays.
ToyProblem Plateau() {
  ToyProblem problem = Locks(5);
  problem.start = "QabdegQabdegQQQQ";
  problem.rules.push_back({"pay", "Q", "c"});
  std::erase_if(problem.rules, [](const ToyRule& rule) { return rule.pass == "split"; });
  problem.default_order.clear();
  problem.has_macros = false;
  return problem;
}

TEST(AblationTest, TheNormHelpsOnAPlateau) {
  SearchOptions options;
  options.max_evaluations = 60;
  EXPECT_EQ(Solve(Plateau(), "opass", options).cost.peak_bytes, kLocksBestPeak);
  options.norm = false;
  EXPECT_EQ(Solve(Plateau(), "opass", options).cost.peak_bytes, kLocksStartPeak);
}

TEST(AblationTest, MacrosHelpOnAPlateau) {
  ToyProblem problem = Plateau();
  problem.has_macros = true;
  SearchOptions options;
  options.max_evaluations = 15;
  options.norm = false;
  EXPECT_EQ(Solve(problem, "opass", options).cost.peak_bytes, kLocksBestPeak);
  EXPECT_EQ(Solve(Plateau(), "opass", options).cost.peak_bytes, kLocksStartPeak);
}

TEST(AblationTest, WithoutStagingAllIsScheduled) {
  SearchOptions options;
  EXPECT_GT(Solve(Locks(3), "opass", options).counts.beyond_bound, 0);
  options.staging = false;
  const Found found = Solve(Locks(3), "opass", options);
  EXPECT_EQ(found.counts.beyond_bound, 0);
  EXPECT_EQ(found.counts.full_schedules, 0);  // none is a second one
}

TEST(AblationTest, WithoutImplicitEffectsTheWayIsAnother) {
  SearchOptions options;
  options.implicit_effects = false;
  EXPECT_NE(Text(Solve(Locks(3), "opass", options)), Text(Solve(Locks(3), "opass")));
}

}  // namespace
}  // namespace opass::orchestrator
