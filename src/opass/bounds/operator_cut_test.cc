#include "opass/bounds/operator_cut.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "opass/memory/testing/problem_builder.h"
#include "opass/memory/testing/random_problem.h"

namespace opass::bounds {
namespace {

using memory::OpId;
using memory::Problem;
using memory::StorageGraph;
using memory::ValueId;
using memory::testing::ProblemBuilder;

std::vector<OpId> Ids(std::initializer_list<std::size_t> indices) {
  std::vector<OpId> ids;
  for (const std::size_t index : indices) ids.push_back(OpId(index));
  return ids;
}

OperatorCut Cut(const Problem& problem, std::size_t op) {
  const StorageGraph graph(problem);
  std::uint64_t work = 1'000'000;
  const auto cut = OperatorCutter(graph).Bound(OpId(op), -1, work);
  EXPECT_TRUE(cut.has_value());
  return cut.value_or(OperatorCut{});
}

TEST(OperatorCutTest, CountsWhatADescendantNeeds) {
  // x 10 -> a 50 -> b 20 -> c 30; d reads a and c. While op 2 makes c: a 50 + b 20 + c 30.
  ProblemBuilder b;
  const ValueId a = b.Op({b.Input(10)}, 50);
  const ValueId c = b.Op({b.Op({a}, 20)}, 30);
  b.Output(b.Op({a, c}, 5));
  const OperatorCut cut = Cut(b.Build(), 2);
  EXPECT_EQ(cut.bytes, 50 + 20 + 30);
  EXPECT_EQ(cut.executed, Ids({0, 1}));
}

TEST(OperatorCutTest, RunsAnotherOperatorFirstWhenThatIsCheaper) {
  // op 0 turns x (100) into 1 byte; op 1 reads y (10) and makes 10. Waiting for op 0 costs
  // 1 + 10 + 10, not waiting 100 + 10 + 10.
  ProblemBuilder b;
  const ValueId x = b.Input(100);
  const ValueId y = b.Input(10);
  const ValueId small = b.Op({x}, 1);
  b.Output(b.Op({small, b.Op({y}, 10)}, 1));
  const OperatorCut cut = Cut(b.Build(), 1);
  EXPECT_EQ(cut.bytes, 1 + 10 + 10);
  EXPECT_EQ(cut.executed, Ids({0}));
}

TEST(OperatorCutTest, LeavesAnotherOperatorForLaterWhenThatIsCheaper) {
  // op 0 turns x (10) into 100: it waits. 10 + 7 + 7.
  ProblemBuilder b;
  const ValueId x = b.Input(10);
  const ValueId y = b.Input(7);
  const ValueId large = b.Op({x}, 100);
  b.Output(b.Op({large, b.Op({y}, 7)}, 1));
  const OperatorCut cut = Cut(b.Build(), 1);
  EXPECT_EQ(cut.bytes, 10 + 7 + 7);
  EXPECT_TRUE(cut.executed.empty());
}

// op 0 reads x (10) and makes `other` bytes; op 1 may write its 10 bytes over x if op 0 ran before.
Problem SharedInput(std::int64_t other) {
  ProblemBuilder b;
  const ValueId x = b.Input(10);
  const ValueId made = b.Op({x}, other);
  b.Output(b.Op({made, b.InPlace({x}, 10)}, 1));
  return b.Build();
}

TEST(OperatorCutTest, TakeoverOnlyWhereItPays) {
  EXPECT_EQ(Cut(SharedInput(4), 1).bytes, 10 + 4);  // op 0 first: x 10, its 4 bytes, nothing new
  EXPECT_EQ(Cut(SharedInput(4), 1).executed, Ids({0}));
  EXPECT_EQ(Cut(SharedInput(30), 1).bytes, 10 + 10);  // op 0 later: x and a buffer of its own
  EXPECT_TRUE(Cut(SharedInput(30), 1).executed.empty());
}

TEST(OperatorCutTest, SaysNothingAtOrBelowTheThreshold) {
  const Problem problem = SharedInput(4);
  const StorageGraph graph(problem);
  OperatorCutter cutter(graph);
  std::uint64_t work = 1'000'000;
  EXPECT_FALSE(cutter.Bound(OpId(1), 14, work).has_value());
  EXPECT_TRUE(cutter.Bound(OpId(1), 13, work).has_value());
  work = 5;
  EXPECT_FALSE(cutter.Bound(OpId(1), 13, work).has_value());
  EXPECT_EQ(work, 0u);
}

// What `op` costs after exactly the operators of `mask`; -1 when they cannot run before it.
std::int64_t CostAfter(const StorageGraph& graph, OpId op, std::uint32_t mask) {
  std::vector<OpId> order;
  for (int part = 0; part < 3; ++part) {
    for (std::size_t i = 0; i < graph.num_ops(); ++i) {
      const int place = OpId(i) == op ? 1 : (mask >> i & 1) == 1 ? 0 : 2;
      if (place == part) order.push_back(OpId(i));
    }
  }
  const auto schedule = memory::Evaluate(graph, order);
  if (!schedule.ok()) return -1;
  const auto at = std::find(order.begin(), order.end(), op) - order.begin();
  return schedule->step_bytes[static_cast<std::size_t>(at)];
}

TEST(OperatorCutTest, EqualsTheBestOfAllStates) {
  std::size_t exact = 0;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    const Problem problem = memory::testing::RandomProblem(seed, {.max_ops = 7});
    const StorageGraph graph(problem);
    for (std::size_t i = 0; i < graph.num_ops(); ++i) {
      std::int64_t best = std::numeric_limits<std::int64_t>::max();
      for (std::uint32_t mask = 0; mask < (1u << graph.num_ops()); ++mask) {
        if ((mask >> i & 1) == 1) continue;
        const std::int64_t cost = CostAfter(graph, OpId(i), mask);
        if (cost >= 0) best = std::min(best, cost);
      }
      const OperatorCut cut = Cut(problem, i);
      ASSERT_LE(cut.bytes, best) << seed << " op " << i;
      const auto& takeovers = graph.op(OpId(i)).takeovers;
      const bool one_output = std::all_of(takeovers.begin(), takeovers.end(), [&](const auto& t) {
        return t.output == takeovers.front().output;
      });
      if (!one_output) continue;
      ++exact;
      ASSERT_EQ(cut.bytes, best) << seed << " op " << i;
      std::uint32_t mask = 0;
      for (const OpId op : cut.executed) mask |= 1u << op.index();
      ASSERT_EQ(CostAfter(graph, OpId(i), mask), best) << seed << " op " << i;
    }
  }
  EXPECT_GT(exact, 1000u);
}

}  // namespace
}  // namespace opass::bounds
