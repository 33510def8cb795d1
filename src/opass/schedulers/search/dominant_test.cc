#include "opass/schedulers/search/dominant.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "opass/memory/testing/brute_force.h"
#include "opass/memory/testing/problem_builder.h"
#include "opass/memory/testing/random_problem.h"
#include "opass/schedulers/search/both_ways.h"

namespace opass::schedulers {
namespace {

using memory::StorageGraph;
using memory::testing::BruteForcePeak;
using memory::testing::ProblemBuilder;
using memory::testing::RandomProblem;

constexpr Direction kDirections[] = {Direction::kForward, Direction::kReverse};

void Judge(std::uint64_t seed) {
  const memory::Problem problem = RandomProblem(seed, {.min_ops = 2, .max_ops = 9});
  const std::int64_t optimum = BruteForcePeak(problem);
  const StorageGraph storage_graph(problem);
  const StepGraph graph(storage_graph);
  for (const Direction direction : kDirections) {
    const Dominant found = FindDominant(graph, {.direction = direction});
    ASSERT_TRUE(found.order) << "seed " << seed;
    ASSERT_TRUE(memory::Evaluate(storage_graph, *found.order).ok()) << "seed " << seed;
    ASSERT_EQ(PeakBytes(graph, *found.order), optimum)
        << "seed " << seed << (direction == Direction::kForward ? " forward" : " reverse");
  }
}

TEST(DominantOracleTest, AgreesWithBruteForce) {
  for (std::uint64_t seed = 0; seed < 20'000 && !::testing::Test::HasFatalFailure(); ++seed) {
    Judge(seed);
  }
}

TEST(DominantOracleTest, DISABLED_AgreesWithBruteForceAMillionTimes) {
  for (std::uint64_t seed = 0; seed < 1'000'000 && !::testing::Test::HasFatalFailure(); ++seed) {
    Judge(seed);
  }
}

// A tree in which every operator but the last has one reader, or one input if `reverse`.
memory::Problem RandomTree(std::uint64_t seed, std::size_t num_ops, Direction easy) {
  std::mt19937_64 random(seed);
  ProblemBuilder b;
  std::vector<memory::ValueId> open;
  const auto draw = [&] {
    std::swap(open[random() % open.size()], open.back());
    return open.back();
  };
  for (std::size_t i = 0; i < num_ops; ++i) {
    const auto size = static_cast<std::int64_t>(1 + random() % 50);
    std::vector<memory::ValueId> inputs;
    if (easy == Direction::kForward) {
      if (!open.empty())
        inputs.push_back(open[open.size() - 1 - random() % std::min<std::size_t>(open.size(), 12)]);
    } else {
      const bool joins = open.size() > 1 && (random() % 2 == 0 || open.size() >= num_ops - i);
      for (std::size_t k = 0; k < (joins ? 2U : 0U); ++k) {
        inputs.push_back(draw());
        open.pop_back();
      }
    }
    open.push_back(b.Op(inputs, size));
  }
  return b.Build();
}

TEST(DominantTest, TreesTakeFewNodes) {
  for (const Direction direction : kDirections) {
    const memory::Problem problem = RandomTree(7, 1000, direction);
    const StorageGraph storage_graph(problem);
    const StepGraph graph(storage_graph);
    const Dominant found = FindDominant(graph, {.direction = direction, .max_nodes = 10'000});
    ASSERT_TRUE(found.order);
    EXPECT_TRUE(memory::Evaluate(storage_graph, *found.order).ok());
  }
}

TEST(DominantTest, StopsAtItsLimits) {
  const memory::Problem problem = RandomProblem(3, {.min_ops = 120, .max_ops = 120});
  const StorageGraph storage_graph(problem);
  const StepGraph graph(storage_graph);
  const Dominant few_nodes = FindDominant(graph, {.max_nodes = 10});
  EXPECT_FALSE(few_nodes.order);
  EXPECT_EQ(few_nodes.nodes, 11u);
  EXPECT_FALSE(FindDominant(graph, {.max_looks = 1000}).order);
  EXPECT_FALSE(FindDominant(graph, {.max_memo_bytes = 1000}).order);
}

}  // namespace
}  // namespace opass::schedulers
