#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>

#include "opass/allocators/allocator.h"
#include "opass/allocators/place_in_order.h"
#include "opass/allocators/place_in_time.h"
#include "opass/memory/check.h"
#include "opass/memory/testing/problem_builder.h"
#include "opass/memory/testing/random_problem.h"
#include "opass/memory/testing/simple_plan.h"
#include "opass/support/interrupt.h"

namespace opass::allocators {
namespace {

using memory::Evaluate;
using memory::Plan;
using memory::Problem;
using memory::Schedule;
using memory::StorageGraph;
using memory::ValueId;
using memory::testing::ProblemBuilder;
using memory::testing::RandomProblem;

constexpr AllocatorOptions kShort = {.max_work = 200'000};

Schedule InFileOrder(const StorageGraph& graph) {
  Result<Schedule> schedule = Evaluate(graph, memory::testing::FileOrder(graph.problem()));
  EXPECT_TRUE(schedule.ok());
  return *std::move(schedule);
}

std::int64_t Arena(const Problem& problem, std::string_view allocator) {
  const StorageGraph graph(problem);
  const BlockProblem blocks = MakeBlocks(graph, InFileOrder(graph));
  const auto bases = FindAllocator(allocator)->run(blocks, {});
  EXPECT_TRUE(bases.ok());
  return ArenaBytes(blocks, *bases);
}

TEST(AllocatorsTest, RegistryIsSortedAndFindsByName) {
  const auto all = Allocators();
  ASSERT_EQ(all.size(), 6u);
  EXPECT_TRUE(std::is_sorted(all.begin(), all.end(),
                             [](const auto& a, const auto& b) { return a.name < b.name; }));
  for (const Allocator& allocator : all) {
    EXPECT_EQ(FindAllocator(allocator.name), &allocator);
    EXPECT_FALSE(allocator.summary.empty());
  }
  EXPECT_EQ(FindAllocator("none_such"), nullptr);
}

TEST(AllocatorsTest, EveryAllocatorPassesTheCheckerOnRandomProblems) {
  std::int64_t best_fit = 0;
  std::int64_t hill_climb = 0;
  std::int64_t exact = 0;
  std::int64_t total = 0;
  for (std::uint64_t seed = 0; seed < 1500; ++seed) {
    const Problem problem = RandomProblem(seed, {.max_ops = 25});
    const StorageGraph graph(problem);
    const Schedule schedule = InFileOrder(graph);
    const BlockProblem blocks = MakeBlocks(graph, schedule);
    for (const Allocator& allocator : Allocators()) {
      const auto bases = allocator.run(blocks, kShort);
      ASSERT_TRUE(bases.ok());
      Plan plan = memory::testing::SimplePlan(problem);
      plan.buffers = MakeBuffers(graph, schedule, PlaceBlocks(blocks, *bases));
      plan.arena_bytes = memory::ArenaBytes(plan.buffers);
      const Status status = memory::Check(problem, plan);
      ASSERT_TRUE(status.ok()) << allocator.name << ", seed " << seed << ": "
                               << status.error().ToString();
      ASSERT_EQ(plan.arena_bytes, ArenaBytes(blocks, *bases));
      ASSERT_GE(plan.arena_bytes, schedule.peak_bytes);
      if (allocator.name == "best_fit") best_fit += plan.arena_bytes == schedule.peak_bytes;
      if (allocator.name == "exact") exact += plan.arena_bytes == schedule.peak_bytes;
      if (allocator.name == "hill_climb") hill_climb += plan.arena_bytes == schedule.peak_bytes;
    }
    ++total;
  }
  EXPECT_GT(exact, hill_climb);
  EXPECT_GT(best_fit * 100, total * 85);  // good, not only right
  EXPECT_GT(hill_climb, best_fit);
}

TEST(AllocatorsTest, PlacesInTimeFillTheTightestGaps) {
  BlockProblem problem;
  problem.num_steps = 4;
  const auto block = [&](std::int64_t size, std::int64_t first, std::int64_t last) {
    problem.blocks.push_back({{{0, size, first, last}}, size, first, last, 0, size});
  };
  block(30, 0, 1);  // 20..50, then a gap
  block(50, 0, 4);  // the largest is placed first
  block(20, 1, 3);  // into the gap
  block(30, 2, 4);  // what is left of the gap, and above
  block(20, 3, 4);
  EXPECT_EQ(PlaceInTime(problem), (std::vector<std::int64_t>{50, 0, 50, 70, 50}));
}

TEST(AllocatorsTest, WithoutTimeEveryAllocatorPlacesAtOnceAndRight) {
  std::int64_t at_peak = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const Problem problem = RandomProblem(seed, {.max_ops = 25});
    const StorageGraph graph(problem);
    const Schedule schedule = InFileOrder(graph);
    const BlockProblem blocks = MakeBlocks(graph, schedule);
    const Deadline deadline(1e-9);
    for (const Allocator& allocator : Allocators()) {
      const auto bases = allocator.run(blocks, kShort);
      ASSERT_TRUE(bases.ok());
      Plan plan = memory::testing::SimplePlan(problem);
      plan.buffers = MakeBuffers(graph, schedule, PlaceBlocks(blocks, *bases));
      plan.arena_bytes = memory::ArenaBytes(plan.buffers);
      const Status status = memory::Check(problem, plan);
      ASSERT_TRUE(status.ok()) << allocator.name << ", seed " << seed << ": "
                               << status.error().ToString();
      at_peak += plan.arena_bytes == schedule.peak_bytes;
    }
  }
  EXPECT_GT(at_peak, 300);
}

TEST(AllocatorsTest, ATakeoverFreesTheRestOfItsBlock) {
  // a (100 bytes) is taken over by b (40 bytes); then c (60 bytes) fits into what a left.
  ProblemBuilder builder;
  const ValueId a = builder.Op({builder.Input(1)}, 100);
  const ValueId b = builder.InPlace({a}, 40);
  const ValueId c = builder.Op({b}, 60);
  builder.Output(builder.Op({b, c}, 1));
  const Problem problem = builder.Build();
  for (const Allocator& allocator : Allocators()) EXPECT_EQ(Arena(problem, allocator.name), 101);
}

TEST(AllocatorsTest, BytesBelowATakeoverOfAPartAreFree) {
  // b takes over the upper part of a, at 60; c (60 bytes) goes below it.
  ProblemBuilder builder;
  const ValueId a = builder.Op({builder.Input(1)}, 100);
  const ValueId part = builder.View(a, 60, 40);
  const ValueId b = builder.InPlace({part}, 40);
  const ValueId c = builder.Op({b}, 60);
  builder.Output(builder.Op({b, c}, 1));
  EXPECT_EQ(Arena(builder.Build(), "best_fit"), 101);
}

TEST(AllocatorsTest, TheTightestGapSavesTheLargerOneForLater) {
  BlockProblem problem;
  problem.num_steps = 4;
  const auto block = [&](std::int64_t size, std::int64_t first, std::int64_t last) {
    problem.blocks.push_back({{{0, size, first, last}}, size, first, last, 0, size});
  };
  // Gaps of 30 and 20 between walls; then 20 and 30 arrive.
  block(30, 0, 1);
  block(10, 0, 4);
  block(20, 0, 1);
  block(10, 0, 4);
  block(20, 1, 4);
  block(30, 1, 4);
  constexpr std::size_t kOrder[] = {0, 1, 2, 3, 4, 5};
  std::uint64_t work = 0;
  EXPECT_EQ(ArenaBytes(problem, PlaceInOrder(problem, kOrder, Fit::kTightest, work)), 70);
  EXPECT_EQ(ArenaBytes(problem, PlaceInOrder(problem, kOrder, Fit::kLowest, work)), 100);
}

TEST(AllocatorsTest, TheExactSearchIsNeverWorseThanTheBestOrder) {
  std::int64_t better = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const Problem problem = RandomProblem(seed, {.min_ops = 10, .max_ops = 40});
    const std::int64_t best_fit = Arena(problem, "best_fit");
    const std::int64_t exact = Arena(problem, "exact");
    ASSERT_LE(exact, best_fit) << "seed " << seed;
    better += exact < best_fit;
  }
  EXPECT_GT(better, 0);
}

TEST(AllocatorsTest, ThousandsOfBlocksAreFast) {
  const Problem problem = RandomProblem(3, {.min_ops = 5000, .max_ops = 5000});
  const StorageGraph graph(problem);
  const BlockProblem blocks = MakeBlocks(graph, InFileOrder(graph));
  ASSERT_GT(blocks.blocks.size(), 3000u);
  const auto start = std::chrono::steady_clock::now();
  for (const Allocator& allocator : Allocators()) ASSERT_TRUE(allocator.run(blocks, kShort).ok());
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  EXPECT_LT(seconds.count(), 20.0);
}

}  // namespace
}  // namespace opass::allocators
