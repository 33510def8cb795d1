#include "opass/planner/planner.h"

#include <gtest/gtest.h>

#include "opass/allocators/allocator.h"
#include "opass/memory/check.h"
#include "opass/memory/plan_json.h"
#include "opass/memory/testing/brute_force.h"
#include "opass/memory/testing/problem_builder.h"
#include "opass/memory/testing/random_problem.h"
#include "opass/schedulers/scheduler.h"

namespace opass::planner {
namespace {

using memory::Plan;
using memory::Problem;
using memory::ValueId;
using memory::testing::BruteForcePeak;
using memory::testing::ProblemBuilder;
using memory::testing::RandomProblem;

PlanResult MustPlan(const Problem& problem, const PlanOptions& options = {}) {
  Result<PlanResult> result = MakePlan(problem, options);
  EXPECT_TRUE(result.ok()) << problem.name << ": " << result.error().ToString();
  return result.ok() ? *std::move(result) : PlanResult();
}

// Two branches of which the file interleaves the expensive halves.
Problem TwoBranches() {
  ProblemBuilder builder;
  const ValueId x = builder.Input(10);
  const ValueId a = builder.Op({x}, 100);
  const ValueId b = builder.Op({x}, 100);
  const ValueId c = builder.Op({a}, 10);
  const ValueId d = builder.Op({b}, 10);
  builder.Output(builder.Op({c, d}, 10));
  return builder.Build();
}

TEST(PlannerTest, AutoFindsTheBetterOrderAndProvesIt) {
  const PlanResult result = MustPlan(TwoBranches());
  EXPECT_EQ(result.file_order.peak_bytes, 210);
  EXPECT_EQ(result.plan.peak_bytes, 120);
  EXPECT_EQ(result.plan.lower_bound_bytes, 120);
  EXPECT_TRUE(result.plan.proven_optimal);
  EXPECT_EQ(result.plan.arena_bytes, 120);
  EXPECT_EQ(result.plan.file_order_peak_bytes, 210);
  EXPECT_EQ(result.plan.sum_bytes, 240);
  EXPECT_EQ(result.scheduler_peaks.front().scheduler, "file_order");
  EXPECT_FALSE(result.allocator_arenas.empty());
}

TEST(PlannerTest, TakesTheFiguresOfItsCaller) {
  PlanOptions options;
  options.target = "onnxruntime";
  options.weights_bytes = 1000;
  options.file_order_peak_bytes = 777;
  options.unplanned_values = {"text"};
  options.scheduler = "file_order";
  options.allocator = "greedy_by_size";
  const PlanResult result = MustPlan(TwoBranches(), options);
  EXPECT_EQ(result.plan.target, "onnxruntime");
  EXPECT_EQ(result.plan.sum_with_weights_bytes, 1240);
  EXPECT_EQ(result.plan.file_order_peak_bytes, 777);
  EXPECT_EQ(result.plan.unplanned_values, std::vector<std::string>{"text"});
  EXPECT_EQ(result.plan.peak_bytes, 210);
  EXPECT_FALSE(result.plan.proven_optimal);
  EXPECT_EQ(result.scheduler, "file_order");
  EXPECT_EQ(result.allocator, "greedy_by_size");
}

TEST(PlannerTest, UnknownNamesAreErrors) {
  PlanOptions options;
  options.scheduler = "magic";
  EXPECT_TRUE(MakePlan(TwoBranches(), options)
                  .error()
                  .ToString()
                  .starts_with("there is no scheduler 'magic' (one of auto, beam, depth_first"));
  options.scheduler = "auto";
  options.allocator = "magic";
  EXPECT_EQ(MakePlan(TwoBranches(), options).error().ToString(),
            "there is no allocator 'magic' (one of auto, best_fit, exact, "
            "greedy_by_area, greedy_by_duration, greedy_by_size, hill_climb)");
}

TEST(PlannerTest, InvalidProblemsAreErrors) {
  Problem problem = TwoBranches();
  problem.values[0].size_bytes = -1;
  EXPECT_EQ(MakePlan(problem, {}).error().code, ErrorCode::kInvalidInput);
  EXPECT_EQ(PeakBytes(problem, {}).error().code, ErrorCode::kInvalidInput);
}

TEST(PlannerTest, ProblemsWithoutOperators) {
  EXPECT_EQ(MustPlan(Problem()).plan.arena_bytes, 0);
  ProblemBuilder builder(64);
  builder.Preserve(builder.Input(3)).Output(builder.Input(100));
  builder.Input(1000);  // nobody reads it
  const PlanResult result = MustPlan(builder.Build());
  EXPECT_EQ(result.plan.peak_bytes, 64 + 128);
  EXPECT_EQ(result.plan.arena_bytes, 64 + 128);
  EXPECT_TRUE(result.plan.proven_optimal);
}

TEST(PlannerTest, SharingCanBeForbidden) {
  ProblemBuilder builder;
  const ValueId a = builder.Op({builder.Input(1)}, 50);
  const ValueId view = builder.View(a, 10, 40);
  builder.Output(builder.InPlace({view}, 40));
  const Problem problem = builder.Build();
  const auto peak = [&](bool view_allowed, bool in_place) {
    PlanOptions options;
    options.sharing.view = view_allowed;
    options.sharing.in_place = in_place;
    const PlanResult result = MustPlan(problem, options);
    EXPECT_EQ(result.plan.sharing.view, view_allowed);
    EXPECT_EQ(*PeakBytes(problem, options), result.plan.peak_bytes);
    return result.plan.peak_bytes;
  };
  EXPECT_EQ(peak(true, true), 51);
  EXPECT_EQ(peak(true, false), 90);
  EXPECT_EQ(peak(false, true), 90);
  EXPECT_EQ(peak(false, false), 90);
}

// The property that everything rests on, over all schedulers and allocators.
TEST(PlannerPropertyTest, EveryPlanIsRightAndNoneBeatsTheOptimum) {
  constexpr std::uint64_t kProblems = 2000;
  std::uint64_t optimal = 0;
  std::uint64_t proven = 0;
  for (std::uint64_t seed = 0; seed < kProblems; ++seed) {
    const Problem problem = RandomProblem(seed, {.max_ops = 9});
    const std::int64_t optimum = BruteForcePeak(problem);
    const PlanResult best = MustPlan(problem);
    ASSERT_GE(best.plan.peak_bytes, optimum) << "seed " << seed;
    ASSERT_LE(best.plan.lower_bound_bytes, optimum) << "seed " << seed;
    ASSERT_LE(best.plan.peak_bytes, best.file_order.peak_bytes) << "seed " << seed;
    ASSERT_GE(best.plan.arena_bytes, best.plan.peak_bytes) << "seed " << seed;
    optimal += best.plan.peak_bytes == optimum;
    proven += best.plan.proven_optimal;
    for (const schedulers::Scheduler& scheduler : schedulers::Schedulers()) {
      for (const allocators::Allocator& allocator : allocators::Allocators()) {
        PlanOptions options;
        options.scheduler = scheduler.name;
        options.allocator = allocator.name;
        const PlanResult result = MustPlan(problem, options);  // the checker has accepted it
        ASSERT_GE(result.plan.peak_bytes, best.plan.peak_bytes) << "seed " << seed;
        ASSERT_LE(result.plan.lower_bound_bytes, optimum) << "seed " << seed;
      }
    }
  }
  EXPECT_EQ(optimal, kProblems);  // small problems are all within the work of the exact search
  EXPECT_EQ(proven, kProblems);
}

TEST(PlannerPropertyTest, LargerProblemsPassTheCheckerToo) {
  std::uint64_t searched = 0;
  std::uint64_t split = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const Problem problem = RandomProblem(seed, {.min_ops = 20, .max_ops = 150});
    PlanOptions options;
    if (seed % 2 == 1) options.scheduler = "exact";  // which has more left to prove
    const PlanResult result = MustPlan(problem, options);
    searched += memory::IsCheckable(result.plan.certificate) ? 0 : 1;
    split += result.plan.certificate.splits.empty() ? 0 : 1;
    if (seed % 2 == 0) {
      ASSERT_LE(result.plan.peak_bytes, result.file_order.peak_bytes) << "seed " << seed;
    }
    ASSERT_GE(result.plan.peak_bytes, result.plan.lower_bound_bytes) << "seed " << seed;
  }
  EXPECT_GT(searched, 0u);
  EXPECT_GT(split, 0u);
}

TEST(PlannerPropertyTest, TheSameProblemGivesTheSameBytes) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const Problem problem = RandomProblem(seed, {.min_ops = 10, .max_ops = 60});
    const std::string first = memory::PlanToJson(problem, MustPlan(problem).plan);
    ASSERT_EQ(first, memory::PlanToJson(problem, MustPlan(problem).plan));
    const Result<Plan> read = memory::ParsePlan(problem, first, "plan.json");
    ASSERT_TRUE(read.ok()) << read.error().ToString();
    ASSERT_EQ(first, memory::PlanToJson(problem, *read));
  }
}

}  // namespace
}  // namespace opass::planner
