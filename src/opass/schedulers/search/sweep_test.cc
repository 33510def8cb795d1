#include "opass/schedulers/search/sweep.h"

#include <gtest/gtest.h>

#include "opass/memory/testing/num_cases.h"
#include "opass/memory/testing/problem_builder.h"
#include "opass/memory/testing/random_problem.h"
#include "opass/schedulers/search/both_ways.h"
#include "opass/schedulers/search/step_graph.h"

namespace opass::schedulers {
namespace {

using memory::OpId;
using memory::Problem;
using memory::StorageGraph;
using memory::ValueId;
using memory::testing::ProblemBuilder;
using memory::testing::RandomProblem;

std::vector<OpId> FileOrder(const StorageGraph& graph) {
  std::vector<OpId> order;
  for (std::size_t i = 0; i < graph.num_ops(); ++i) order.emplace_back(i);
  return order;
}

std::int64_t SweptPeak(const Problem& problem) {
  const StorageGraph graph(problem);
  return PeakBytes(StepGraph(graph), Sweep(graph, FileOrder(graph), 0));
}

// Five outputs of 10, each of an input of 1, then a hill of 30 to an output of 1. As written the
// hill stands on the outputs: 50 + 1 + 30. Last they need 50 + 1 + the input of the one made last.
Problem OutputsBeforeAHill() {
  ProblemBuilder builder;
  for (int i = 0; i < 5; ++i) builder.Output(builder.Op({builder.Input(1)}, 10));
  builder.Output(builder.Op({builder.Op({builder.Input(1)}, 30)}, 1));
  return builder.Build();
}

TEST(SweepTest, OutputsThatPileUpComeLast) {
  const Problem problem = OutputsBeforeAHill();
  const StorageGraph graph(problem);
  EXPECT_EQ(PeakBytes(StepGraph(graph), FileOrder(graph)), 81);
  EXPECT_EQ(SweptPeak(problem), 52);
}

// The same backwards: five inputs of 10, each of which becomes an output of 1, after a hill of 30.
TEST(SweepTest, InputsThatCanGoGoFirst) {
  ProblemBuilder builder;
  std::vector<ValueId> inputs;
  for (int i = 0; i < 5; ++i) inputs.push_back(builder.Input(10));
  builder.Output(builder.Op({builder.Op({builder.Input(1)}, 30)}, 1));
  for (const ValueId input : inputs) builder.Output(builder.Op({input}, 1));
  EXPECT_EQ(SweptPeak(builder.Build()), 52);
}

// What frees bytes does so over a hill: 12 and then 1 in place of the 10.
TEST(SweepTest, ChainsOverAHill) {
  ProblemBuilder builder;
  std::vector<ValueId> inputs;
  for (int i = 0; i < 5; ++i) inputs.push_back(builder.Input(10));
  builder.Output(builder.Op({builder.Op({builder.Input(1)}, 30)}, 1));
  for (const ValueId input : inputs) {
    builder.Output(builder.Op({builder.Op({input}, 12)}, 1));
  }
  EXPECT_EQ(SweptPeak(builder.Build()), 51 + 12);
}

TEST(SweepTest, NothingToGain) {
  const Problem problem = OutputsBeforeAHill();
  const StorageGraph graph(problem);
  EXPECT_EQ(Sweep(graph, FileOrder(graph), 81), FileOrder(graph));
  const Problem empty;
  EXPECT_TRUE(Sweep(StorageGraph(empty), {}, 0).empty());
}

TEST(SweepPropertyTest, NeverWorseAndAlwaysAnOrder) {
  int num_better = 0;
  const std::uint64_t num_cases = memory::testing::NumCases(2000, 300'000);
  for (std::uint64_t seed = 0; seed < num_cases; ++seed) {
    const Problem problem = RandomProblem(seed, {.min_ops = 5, .max_ops = 80});
    const StorageGraph graph(problem);
    const auto before = memory::Evaluate(graph, FileOrder(graph));
    const auto after = memory::Evaluate(graph, Sweep(graph, FileOrder(graph), 0));
    ASSERT_TRUE(after.ok()) << seed << ": " << after.error().ToString();
    ASSERT_LE(after->peak_bytes, before->peak_bytes) << seed;
    num_better += after->peak_bytes < before->peak_bytes ? 1 : 0;
  }
  EXPECT_GT(num_better, 1000);
}

}  // namespace
}  // namespace opass::schedulers
