#include "opass/schedulers/search/windows.h"

#include <gtest/gtest.h>

#include "opass/memory/testing/num_cases.h"
#include "opass/memory/testing/problem_builder.h"
#include "opass/memory/testing/random_problem.h"
#include "opass/schedulers/search/both_ways.h"
#include "opass/schedulers/search/step_state.h"
#include "opass/schedulers/search/window_starts.h"

namespace opass::schedulers {
namespace {

using memory::OpId;
using memory::Problem;
using memory::StorageGraph;
using memory::testing::RandomProblem;

std::vector<OpId> FileOrder(const StorageGraph& graph) {
  std::vector<OpId> order;
  for (std::size_t i = 0; i < graph.num_ops(); ++i) order.emplace_back(i);
  return order;
}

// Chains that grow and shrink, one behind the other on a trunk, their steps dealt out in turn.
Problem DealtChains(std::size_t num_chains) {
  memory::testing::ProblemBuilder builder;
  const memory::ValueId x = builder.Input(1);
  std::vector<memory::ValueId> ends(num_chains, x);
  for (const std::int64_t size : {10, 50, 10, 1}) {
    for (memory::ValueId& end : ends) end = builder.Op({end}, size);
  }
  builder.Output(builder.Op(ends, 1));
  return builder.Build();
}

TEST(WindowsTest, ReordersStretchesUntilNoPeakIsLeft) {
  const Problem problem = DealtChains(100);
  const StorageGraph graph(problem);
  const StepGraph steps(graph);
  const std::vector<OpId> order = ImproveByWindows(graph, FileOrder(graph)).order;
  EXPECT_GT(PeakBytes(steps, FileOrder(graph)), 5000);
  // All ends at once, and one chain at its middle: what the exact search proves.
  EXPECT_LE(PeakBytes(steps, order), 161);
}

TEST(WindowsTest, StopsAtTheFloorAndWithItsWork) {
  const Problem problem = DealtChains(40);
  const StorageGraph graph(problem);
  const StepGraph steps(graph);
  const std::int64_t before = PeakBytes(steps, FileOrder(graph));
  WindowOptions options;
  options.floor_bytes = before;
  EXPECT_EQ(ImproveByWindows(graph, FileOrder(graph), options).order, FileOrder(graph));
  options.floor_bytes = before / 2;
  const std::int64_t half =
      PeakBytes(steps, ImproveByWindows(graph, FileOrder(graph), options).order);
  EXPECT_LT(half, before);
  options.floor_bytes = 0;
  options.max_work = 0;
  EXPECT_EQ(ImproveByWindows(graph, FileOrder(graph), options).order, FileOrder(graph));
}

TEST(WindowsTest, NoOperatorsNoOrder) {
  const Problem problem;
  EXPECT_TRUE(ImproveByWindows(StorageGraph(problem), {}).order.empty());
}

TEST(WindowsTest, SaysWhetherMoreWorkWouldHelp) {
  const Problem problem = DealtChains(40);
  const StorageGraph graph(problem);
  WindowOptions options;
  options.max_work = 100'000;
  WindowResult result = ImproveByWindows(graph, FileOrder(graph), options);
  EXPECT_FALSE(result.stuck);
  result = ImproveByWindows(graph, result.order);
  EXPECT_TRUE(result.stuck);
  EXPECT_EQ(ImproveByWindows(graph, result.order).order, result.order);
}

TEST(WindowsTest, TheBestOfSeveralStarts) {
  const Problem problem = DealtChains(40);
  const StorageGraph graph(problem);
  const StepGraph steps(graph);
  std::vector<OpId> chain_by_chain;  // operator 40 k + c is step k of chain c
  for (std::size_t c = 0; c < 40; ++c) {
    for (std::size_t k = 0; k < 4; ++k) chain_by_chain.emplace_back(40 * k + c);
  }
  chain_by_chain.emplace_back(160);
  const std::vector<std::vector<OpId>> starts = {FileOrder(graph), chain_by_chain};
  const std::int64_t best = std::min(PeakBytes(steps, starts[0]), PeakBytes(steps, starts[1]));
  EXPECT_LE(PeakBytes(steps, BestByWindows(graph, starts, 0)), best);
  EXPECT_EQ(BestByWindows(graph, starts, best), chain_by_chain);  // nothing to gain
  EXPECT_TRUE(BestByWindows(graph, {}, 0).empty());
}

// A window costs at every step what its stretch costs in the whole, so the answer is an order and
// never worse, whatever is shared, kept or late.
TEST(WindowsPropertyTest, NeverWorseAndAlwaysAnOrder) {
  int num_better = 0;
  const std::uint64_t num_cases = memory::testing::NumCases(400, 100'000);
  for (std::uint64_t seed = 0; seed < num_cases; ++seed) {
    const Problem problem = RandomProblem(seed, {.min_ops = 10, .max_ops = 120});
    const StorageGraph graph(problem);
    WindowOptions options;
    options.max_work = 1'000'000;
    options.max_nodes = 200;
    const std::vector<OpId> order = ImproveByWindows(graph, FileOrder(graph), options).order;
    const auto before = memory::Evaluate(graph, FileOrder(graph));
    const auto after = memory::Evaluate(graph, order);
    ASSERT_TRUE(after.ok()) << seed << ": " << after.error().ToString();
    ASSERT_LE(after->peak_bytes, before->peak_bytes) << seed;
    num_better += after->peak_bytes < before->peak_bytes ? 1 : 0;
  }
  EXPECT_GT(num_better, 50);
}

}  // namespace
}  // namespace opass::schedulers
