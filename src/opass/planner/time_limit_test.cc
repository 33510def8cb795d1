#include <gtest/gtest.h>

#include <thread>

#include "opass/memory/plan_json.h"
#include "opass/memory/testing/random_problem.h"
#include "opass/planner/planner.h"

namespace opass::planner {
namespace {

using memory::Problem;
using memory::testing::RandomProblem;

constexpr double kNoTime = 1e-6;

TEST(TimeLimitTest, WithoutTimeEveryPlanIsRightAndSaysSo) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const Problem problem = RandomProblem(seed, {.max_ops = 30});
    PlanOptions options;
    options.time_limit_seconds = kNoTime;
    const auto result = MakePlan(problem, options);  // checked
    ASSERT_TRUE(result.ok()) << "seed " << seed << ": " << result.error().ToString();
    EXPECT_FALSE(result->plan.deterministic);
    EXPECT_LE(result->plan.peak_bytes, result->file_order.peak_bytes);
  }
}

TEST(TimeLimitTest, TimeEnoughChangesNothing) {
  const Problem problem = RandomProblem(7, {.max_ops = 12});
  PlanOptions options;
  const auto without = MakePlan(problem, options);
  options.time_limit_seconds = 1000;
  const auto with = MakePlan(problem, options);
  ASSERT_TRUE(without.ok() && with.ok());
  EXPECT_TRUE(with->plan.deterministic);
  EXPECT_EQ(memory::PlanToJson(problem, with->plan), memory::PlanToJson(problem, without->plan));
}

TEST(TimeLimitTest, NegativeIsAnError) {
  PlanOptions options;
  options.time_limit_seconds = -1;
  const auto result = MakePlan(RandomProblem(0, {}), options);
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().code, ErrorCode::kInvalidInput);
}

TEST(TimeLimitTest, TwoThreadsHaveTheirOwn) {
  const Problem problem = RandomProblem(3, {.max_ops = 30});
  std::thread hurried([&] {
    PlanOptions options;
    options.time_limit_seconds = kNoTime;
    for (int i = 0; i < 20; ++i) EXPECT_FALSE(MakePlan(problem, options)->plan.deterministic);
  });
  for (int i = 0; i < 5; ++i) EXPECT_TRUE(MakePlan(problem, {})->plan.deterministic);
  hurried.join();
}

TEST(ProgressTest, PeakAndBoundAreTold) {
  std::vector<std::string> told;
  PlanOptions options;
  options.on_progress = [&](const PlanProgress& progress) {
    told.push_back(ProgressText(progress));
  };
  ASSERT_TRUE(MakePlan(RandomProblem(3, {.max_ops = 30}), options).ok());
  ASSERT_FALSE(told.empty());
  EXPECT_EQ(told.front(), "file_order");
  EXPECT_TRUE(told.back().starts_with("best_fit: peak ")) << told.back();
  EXPECT_NE(told.back().find(", gap 0.0 %"), std::string::npos) << told.back();
}

TEST(ProgressTest, TextsForPeople) {
  EXPECT_EQ(ProgressText({"greedy", {}, {}}), "greedy");
  EXPECT_EQ(ProgressText({"greedy", 2048, {}}), "greedy: peak 2048 B");
  EXPECT_EQ(ProgressText({"exact", 2048, 0}), "exact: peak 2048 B, bound 0 B");
  EXPECT_EQ(ProgressText({"exact", 3072, 2048}), "exact: peak 3072 B, bound 2048 B, gap 50.0 %");
}

}  // namespace
}  // namespace opass::planner
