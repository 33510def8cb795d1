#include "opass/schedulers/scheduler.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>

#include "opass/memory/testing/brute_force.h"
#include "opass/memory/testing/problem_builder.h"
#include "opass/memory/testing/random_problem.h"
#include "opass/schedulers/search/beam_search.h"
#include "opass/schedulers/search/both_ways.h"
#include "opass/schedulers/search/greedy_steps.h"
#include "opass/support/interrupt.h"

namespace opass::schedulers {
namespace {

using memory::OpId;
using memory::Problem;
using memory::StorageGraph;
using memory::ValueId;
using memory::testing::ProblemBuilder;

std::int64_t PeakOf(const Scheduler& scheduler, const StorageGraph& graph) {
  const auto order = scheduler.run(graph, {});
  EXPECT_TRUE(order.ok());
  const auto schedule = memory::Evaluate(graph, *order);
  EXPECT_TRUE(schedule.ok()) << scheduler.name << ": " << schedule.error().ToString();
  return schedule.ok() ? schedule->peak_bytes : -1;
}

std::int64_t PeakOf(std::string_view name, const Problem& problem) {
  return PeakOf(*FindScheduler(name), StorageGraph(problem));
}

TEST(SchedulersTest, RegisteredByFileName) {
  std::vector<std::string_view> names;
  for (const Scheduler& scheduler : Schedulers()) {
    names.push_back(scheduler.name);
    EXPECT_EQ(FindScheduler(scheduler.name), &scheduler);
    EXPECT_FALSE(scheduler.summary.empty());
  }
  EXPECT_TRUE(std::is_sorted(names.begin(), names.end()));
  for (const char* name : {"beam", "depth_first", "exact", "file_order", "greedy"}) {
    EXPECT_NE(FindScheduler(name), nullptr) << name;
  }
  EXPECT_EQ(FindScheduler("no_such"), nullptr);
}

TEST(SchedulersTest, OrdersAreWholeAndNeverBelowTheOptimum) {
  constexpr std::uint64_t kProblems = 5000;
  std::size_t beam_optimal = 0;
  for (std::uint64_t seed = 0; seed < kProblems; ++seed) {
    const Problem problem = memory::testing::RandomProblem(seed, {.max_ops = 9});
    const StorageGraph graph(problem);
    const std::int64_t optimum = memory::testing::BruteForcePeak(problem);
    for (const Scheduler& scheduler : Schedulers()) {
      const std::int64_t peak = PeakOf(scheduler, graph);
      ASSERT_GE(peak, optimum) << scheduler.name << " seed " << seed;
      if (scheduler.name == "beam" && peak == optimum) ++beam_optimal;
    }
  }
  EXPECT_GE(beam_optimal, kProblems * 99 / 100);
}

// A beam that drops nothing is a search of all sets, from either end: it misses the optimum only if
// a step that was taken as free was not, or if a set was costed wrongly.
TEST(SchedulersTest, BeamWiderThanAllSetsIsExactFromBothEnds) {
  for (std::uint64_t seed = 0; seed < 5000; ++seed) {
    const Problem problem = memory::testing::RandomProblem(seed, {.max_ops = 9});
    const StorageGraph storage_graph(problem);
    const StepGraph graph(storage_graph);
    const std::int64_t optimum = memory::testing::BruteForcePeak(problem);
    for (const Direction direction : {Direction::kForward, Direction::kReverse}) {
      BeamOptions wide;
      wide.max_width = 512;
      auto found = BeamSearch(graph, direction, wide);
      ASSERT_TRUE(found.has_value());
      std::vector<OpId> order = *std::move(found);
      if (direction == Direction::kReverse) std::reverse(order.begin(), order.end());
      ASSERT_EQ(PeakBytes(graph, order), optimum) << "seed " << seed;
      wide.ceiling_bytes = optimum;
      ASSERT_FALSE(BeamSearch(graph, direction, wide).has_value()) << "seed " << seed;
      wide.ceiling_bytes = optimum + 1;
      wide.floor_bytes = optimum;
      ASSERT_TRUE(BeamSearch(graph, direction, wide).has_value()) << "seed " << seed;
    }
  }
}

TEST(SchedulersTest, SameProblemSameOrder) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const Problem problem = memory::testing::RandomProblem(seed, {.min_ops = 20, .max_ops = 60});
    const Problem copy = problem;
    for (const Scheduler& scheduler : Schedulers()) {
      const auto one = scheduler.run(StorageGraph(problem), {});
      const auto other = scheduler.run(StorageGraph(copy), {});
      ASSERT_EQ(*one, *other) << scheduler.name << " seed " << seed;
    }
  }
}

TEST(SchedulersTest, NoOperators) {
  const Problem problem = ProblemBuilder().Build();
  const StorageGraph graph(problem);
  for (const Scheduler& scheduler : Schedulers()) {
    EXPECT_TRUE(scheduler.run(graph, {})->empty()) << scheduler.name;
  }
}

// Two branches from x (1) to a join: left grows to 40 and leaves 20, right grows to 60 and
// leaves 2. Right first: 1 + 60, 1 + 60 + 2 = 63, then left beside the 2: 1 + 2 + 40, 2 + 40 + 20
// = 62. Left first: 1 + 40, 1 + 40 + 20, then right beside the 20: 1 + 20 + 60, 20 + 60 + 2 = 82.
// As written, both grow first: 40 + 60 + 20 = 120.
TEST(SchedulersTest, GoldenTwoBranches) {
  ProblemBuilder b;
  const ValueId x = b.Input(1);
  const ValueId left = b.Op({x}, 40);
  const ValueId right = b.Op({x}, 60);
  const ValueId left_end = b.Op({left}, 20);
  const ValueId right_end = b.Op({right}, 2);
  b.Output(b.Op({left_end, right_end}, 1));
  const Problem problem = b.Build();
  ASSERT_EQ(memory::testing::BruteForcePeak(problem), 63);
  EXPECT_EQ(PeakOf("file_order", problem), 120);
  // peak - residual: left 60 - 20, right 62 - 2.
  EXPECT_EQ(PeakOf("depth_first", problem), 63);
  EXPECT_EQ(PeakOf("beam", problem), 63);
}

// x (1) becomes a (20) and, by another operator, b (10); a becomes c (10); the end reads b and c.
// Forward, b looks cheapest (1 + 10) and stays: 1 + 10 + 20, then 10 + 20 + 10 = 40. From the end,
// the producer of b can wait until it is the last but one: a, c (1 + 20 + 10 = 31), b, end.
TEST(SchedulersTest, GoldenWhereTheReverseIsBetter) {
  ProblemBuilder builder;
  const ValueId x = builder.Input(1);
  const ValueId a = builder.Op({x}, 20);
  const ValueId b = builder.Op({x}, 10);
  const ValueId c = builder.Op({a}, 10);
  builder.Output(builder.Op({b, c}, 5));
  const Problem problem = builder.Build();
  const StorageGraph storage_graph(problem);
  const StepGraph graph(storage_graph);
  const std::vector<OpId> forward = GreedyOrder(graph, Direction::kForward);
  EXPECT_EQ(forward, (std::vector<OpId>{OpId(1), OpId(0), OpId(2), OpId(3)}));
  EXPECT_EQ(PeakBytes(graph, forward), 40);
  const std::vector<OpId> taken = GreedyOrder(graph, Direction::kReverse);
  EXPECT_EQ(taken, (std::vector<OpId>{OpId(3), OpId(1), OpId(2), OpId(0)}));
  EXPECT_EQ(PeakOf("greedy", problem), 31);  // which has turned it round
  EXPECT_EQ(memory::testing::BruteForcePeak(problem), 31);
}

// A chain of 3,000 operators, and 3,000 operators side by side: both deeper or wider than a stack
// or a quadratic scan would bear.
TEST(SchedulersTest, DeepAndWide) {
  ProblemBuilder deep;
  ValueId last = deep.Input(3);
  for (int i = 0; i < 3000; ++i) last = deep.Op({last}, 3);
  deep.Output(last);
  ProblemBuilder wide;
  const ValueId x = wide.Input(3);
  std::vector<ValueId> made;
  for (int i = 0; i < 3000; ++i) made.push_back(wide.Op({x}, 1));
  wide.Output(wide.Op(made, 1));
  const Problem deep_problem = deep.Build();
  const Problem wide_problem = wide.Build();
  const StorageGraph deep_graph(deep_problem);
  const StorageGraph wide_graph(wide_problem);
  for (const Scheduler& scheduler : Schedulers()) {
    EXPECT_EQ(PeakOf(scheduler, deep_graph), 6) << scheduler.name;
    EXPECT_EQ(PeakOf(scheduler, wide_graph), 3003) << scheduler.name;
  }
}

TEST(SchedulersDeathTest, InterruptedOrdersAreStillWhole) {
  const auto run_all = [] {
    InstallInterruptHandler();
    std::raise(SIGINT);
    const Problem problem = memory::testing::RandomProblem(5, {.min_ops = 60, .max_ops = 60});
    const StorageGraph graph(problem);
    for (const Scheduler& scheduler : Schedulers()) {
      if (!memory::Evaluate(graph, *scheduler.run(graph, {})).ok()) std::exit(1);
    }
    std::exit(0);
  };
  EXPECT_EXIT(run_all(), ::testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace opass::schedulers
