#include "opass/schedulers/search/part.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "opass/memory/problem_json.h"
#include "opass/memory/testing/brute_force.h"
#include "opass/memory/testing/random_problem.h"
#include "opass/schedulers/search/both_ways.h"

namespace opass::schedulers {
namespace {

using memory::OpId;
using memory::testing::RandomProblem;

std::vector<OpId> Range(std::size_t first, std::size_t last) {
  std::vector<OpId> ops;
  for (; first < last; ++first) ops.emplace_back(first);
  return ops;
}

TEST(PartTest, StepsCostWhatTheyCostInTheWhole) {
  for (std::uint64_t seed = 0; seed < 3000; ++seed) {
    const memory::Problem problem = RandomProblem(seed, {.min_ops = 3, .max_ops = 20});
    const memory::StorageGraph graph(problem);
    const auto whole = memory::Evaluate(graph, Range(0, graph.num_ops()));
    ASSERT_TRUE(whole.ok());
    const std::size_t a = seed % graph.num_ops();
    const std::size_t b = a + 1 + (seed / 7) % (graph.num_ops() - a);
    const Part part(graph, Range(0, a), Range(a, b));
    ASSERT_EQ(part.InWhole(part.GivenOrder()), Range(a, b)) << seed;
    const auto steps = memory::Evaluate(part.graph(), part.GivenOrder());
    ASSERT_TRUE(steps.ok()) << seed << steps.error().ToString();
    for (std::size_t k = 0; k < steps->order.size(); ++k) {
      const OpId origin = part.origin(steps->order[k]);
      if (!origin.valid()) continue;
      ASSERT_EQ(steps->step_bytes[k], whole->step_bytes[origin.index()]) << seed;
    }
  }
}

TEST(PartTest, AStretchOfAnOrderIsTheSamePart) {
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    const memory::Problem problem = RandomProblem(seed, {.min_ops = 3, .max_ops = 20});
    const memory::StorageGraph graph(problem);
    const std::vector<OpId> order = Range(0, graph.num_ops());
    std::vector<std::size_t> position;
    for (const OpId op : order) position.push_back(op.index());
    const std::size_t a = seed % graph.num_ops();
    const std::size_t b = a + 1 + (seed / 7) % (graph.num_ops() - a);
    const StepGraph steps(graph);
    StepState state(steps, Direction::kForward);
    for (const OpId op : Range(0, a)) state.Take(op);
    const Part one(graph, Range(0, a), Range(a, b));
    const Part two(graph, OrderWindow{order, position, a, b, state.live_bytes()});
    ASSERT_EQ(memory::ProblemToJson(one.graph().problem()),
              memory::ProblemToJson(two.graph().problem()))
        << seed;
  }
}

TEST(PartTest, AllOperatorsAreAPartOfTheSameOptimum) {
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    const memory::Problem problem = RandomProblem(seed, {.max_ops = 8});
    const memory::StorageGraph graph(problem);
    const Part part(graph, {}, Range(0, graph.num_ops()));
    if (part.graph().num_ops() > memory::testing::kMaxBruteForceOps) continue;
    ASSERT_EQ(memory::testing::BruteForcePeak(part.graph().problem()),
              memory::testing::BruteForcePeak(problem))
        << seed;
  }
}

TEST(PartTest, ExtraPrecedencesHold) {
  const memory::Problem problem = RandomProblem(11, {.min_ops = 30, .max_ops = 30});
  const memory::StorageGraph graph(problem);
  const std::vector<Precedence> extra{{OpId(3), OpId(17)}};
  const Part part(graph, {}, Range(0, 30), extra);
  std::size_t found = 0;
  for (const OpId op : part.GivenOrder()) {
    if (part.origin(op) != OpId(17)) continue;
    for (const OpId before : part.graph().op(op).predecessors) {
      found += part.origin(before) == OpId(3) ? 1 : 0;
    }
  }
  EXPECT_EQ(found, 1u);
}

}  // namespace
}  // namespace opass::schedulers
