#include "opass/bounds/cheapest_state.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>

#include "opass/memory/testing/random_problem.h"

namespace opass::bounds {
namespace {

using memory::OpId;
using Side = CheapestState::Side;

constexpr std::int64_t kAny = std::numeric_limits<std::int64_t>::max() / 4;

void Decide(const memory::StorageGraph& graph, OpId op, CheapestState& state) {
  state.Reset();
  state.Postpone(op);
  for (const OpId before : graph.op(op).predecessors) state.Execute(before);
}

// The same by a cut from scratch.
std::int64_t Minimum(const memory::StorageGraph& graph, OpId op, OpId other, Side side) {
  CheapestState state(graph);
  Decide(graph, op, state);
  side == Side::kExecuted ? state.Execute(other) : state.Postpone(other);
  std::uint64_t work = 1'000'000;
  return *state.Minimize(op, work);
}

TEST(CheapestStateTest, TriesAreAsGoodAsCutsFromScratch) {
  int num_above = 0;
  int num_same = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const memory::Problem problem = memory::testing::RandomProblem(seed, {.max_ops = 12});
    const memory::StorageGraph graph(problem);
    CheapestState state(graph);
    for (std::size_t i = 0; i < graph.num_ops(); ++i) {
      const OpId op(i);
      std::uint64_t work = 1'000'000;
      Decide(graph, op, state);
      const std::int64_t minimum = *state.Minimize(op, work);
      for (std::size_t k = 0; k < graph.num_ops(); ++k) {
        const OpId other(k);
        if (state.side(other) != Side::kFree) continue;
        for (const Side side : {Side::kExecuted, Side::kWaiting}) {
          const std::int64_t expected = Minimum(graph, op, other, side);
          ASSERT_EQ(*state.Try(other, side, kAny, work), expected) << seed << " " << i << " " << k;
          // With fewer bytes the answer is no.
          if (expected == minimum) {
            ++num_same;
            continue;
          }
          ++num_above;
          ASSERT_GT(*state.Try(other, side, expected - 1, work), expected - 1) << seed;
          ASSERT_EQ(*state.Try(other, side, expected, work), expected) << seed;
        }
      }
    }
  }
  EXPECT_GT(num_above, 500);
  EXPECT_GT(num_same, 500);
}

TEST(CheapestStateTest, AStateOfATryHoldsTheOperator) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const memory::Problem problem = memory::testing::RandomProblem(seed, {.max_ops = 12});
    const memory::StorageGraph graph(problem);
    CheapestState state(graph);
    for (std::size_t i = 0; i < graph.num_ops(); ++i) {
      std::uint64_t work = 1'000'000;
      Decide(graph, OpId(i), state);
      ASSERT_TRUE(state.Minimize(OpId(i), work).has_value());
      for (std::size_t k = 0; k < graph.num_ops(); ++k) {
        if (state.side(OpId(k)) != Side::kFree) continue;
        for (const Side side : {Side::kExecuted, Side::kWaiting}) {
          ASSERT_TRUE(state.Try(OpId(k), side, kAny, work).has_value());
          bool holds = false;
          for (const OpId op : state.Executed()) holds = holds || op == OpId(k);
          ASSERT_EQ(holds, side == Side::kExecuted) << seed << " " << i << " " << k;
        }
      }
    }
  }
}

TEST(CheapestStateTest, ATryStopsWhenTheWorkIsDone) {
  const memory::Problem problem = memory::testing::RandomProblem(7, {.min_ops = 12, .max_ops = 12});
  const memory::StorageGraph graph(problem);
  CheapestState state(graph);
  int num_tries = 0;
  for (std::size_t i = 0; i < graph.num_ops(); ++i) {
    std::uint64_t work = 1'000'000;
    Decide(graph, OpId(i), state);
    ASSERT_TRUE(state.Minimize(OpId(i), work).has_value());
    for (std::size_t k = 0; k < graph.num_ops(); ++k) {
      if (state.side(OpId(k)) != Side::kFree) continue;
      ++num_tries;
      work = 0;
      EXPECT_FALSE(state.Try(OpId(k), Side::kExecuted, kAny, work).has_value());
    }
  }
  EXPECT_GT(num_tries, 0);
}

}  // namespace
}  // namespace opass::bounds
