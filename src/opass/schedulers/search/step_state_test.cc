#include "opass/schedulers/search/step_state.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "opass/memory/testing/problem_builder.h"
#include "opass/memory/testing/random_problem.h"
#include "opass/schedulers/search/both_ways.h"
#include "opass/schedulers/search/free_steps.h"

namespace opass::schedulers {
namespace {

using memory::OpId;
using memory::StorageGraph;
using memory::ValueId;
using memory::testing::ProblemBuilder;
using memory::testing::RandomProblem;

// Everything about a state that a caller can see.
struct Picture {
  std::int64_t live_bytes;
  Fingerprint fingerprint;
  std::vector<OpId> ready;
  std::vector<OpId> path;
  std::vector<std::int64_t> step_bytes;
  std::vector<std::uint32_t> since;
  friend bool operator==(const Picture&, const Picture&) = default;
};

Picture Look(const StepState& state) {
  Picture picture{state.live_bytes(),
                  state.fingerprint(),
                  {state.ready().begin(), state.ready().end()},
                  {state.path().begin(), state.path().end()},
                  {},
                  {}};
  for (const OpId op : state.ready()) {
    picture.step_bytes.push_back(state.Cost(op).step_bytes);
    picture.since.push_back(state.ready_since(op));
  }
  return picture;
}

// Takes ready operators at random to the end; returns what each step was said to cost.
std::vector<std::int64_t> TakeAtRandom(StepState& state, std::mt19937_64& random) {
  std::vector<std::int64_t> step_bytes;
  while (!state.complete()) {
    const OpId op = state.ready()[random() % state.ready().size()];
    const StepCost cost = state.Cost(op);
    step_bytes.push_back(cost.step_bytes);
    state.Take(op);
    EXPECT_EQ(state.live_bytes(), cost.live_bytes);
    EXPECT_FALSE(state.is_ready(op));
  }
  return step_bytes;
}

TEST(StepStateTest, EveryStepCostsWhatEvaluateSaysFromBothEnds) {
  std::mt19937_64 random(1);
  for (std::uint64_t seed = 0; seed < 3000; ++seed) {
    const memory::Problem problem = RandomProblem(seed, {.max_ops = 14});
    const StorageGraph storage_graph(problem);
    const StepGraph graph(storage_graph);
    for (const Direction direction : {Direction::kForward, Direction::kReverse}) {
      StepState state(graph, direction);
      std::vector<std::int64_t> step_bytes = TakeAtRandom(state, random);
      std::vector<OpId> order(state.path().begin(), state.path().end());
      if (direction == Direction::kReverse) {
        std::reverse(order.begin(), order.end());
        std::reverse(step_bytes.begin(), step_bytes.end());
      }
      const auto schedule = memory::Evaluate(storage_graph, order);
      ASSERT_TRUE(schedule.ok()) << seed << ": " << schedule.error().ToString();
      ASSERT_EQ(step_bytes, schedule->step_bytes) << seed;
      ASSERT_EQ(PeakBytes(graph, order), schedule->peak_bytes) << seed;
      const bool forward = direction == Direction::kForward;
      ASSERT_EQ(state.live_bytes(), forward ? graph.last_bytes : graph.first_bytes) << seed;
    }
  }
}

TEST(StepStateTest, UndoRestoresEverything) {
  std::mt19937_64 random(2);
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    const memory::Problem problem = RandomProblem(seed, {.max_ops = 14});
    const StorageGraph storage_graph(problem);
    const StepGraph graph(storage_graph);
    for (const Direction direction : {Direction::kForward, Direction::kReverse}) {
      StepState state(graph, direction);
      std::vector<Picture> pictures;
      while (!state.complete()) {
        pictures.push_back(Look(state));
        state.Take(state.ready()[random() % state.ready().size()]);
      }
      while (!pictures.empty()) {
        state.Undo();
        ASSERT_EQ(Look(state), pictures.back()) << seed;
        pictures.pop_back();
      }
    }
  }
}

TEST(StepStateTest, FingerprintNamesTheSetNotTheWay) {
  ProblemBuilder b;
  const ValueId x = b.Input(1);
  b.Output(b.Op({b.Op({x}, 1), b.Op({x}, 1)}, 1));
  const memory::Problem problem = b.Build();
  const StorageGraph storage_graph(problem);
  const StepGraph graph(storage_graph);
  StepState one(graph, Direction::kForward);
  StepState other(graph, Direction::kForward);
  const Fingerprint empty = one.fingerprint();
  one.Take(OpId(0));
  other.Take(OpId(1));
  EXPECT_NE(one.fingerprint(), other.fingerprint());
  one.Take(OpId(1));
  other.Take(OpId(0));
  EXPECT_EQ(one.fingerprint(), other.fingerprint());
  EXPECT_NE(one.fingerprint(), empty);
}

TEST(StepStateTest, OutputsOfOneOperatorShareInputsByTheBestMatching) {
  // Output p (10) fits x (10) and y (8); no: p fits only x. q (8) fits x and y. A greedy choice
  // that gave x to q would save 8; the best is p on x, q on y: 18 of 10 + 8 + 10 + 8 bytes.
  ProblemBuilder b;
  const ValueId x = b.Input(10);
  const ValueId y = b.Input(8);
  const std::vector<ValueId> made = b.Ops({x, y}, {8, 10});
  b.Candidate(made[0], x).Candidate(made[0], y).Candidate(made[1], x);
  b.Output(made[0]).Output(made[1]);
  const memory::Problem problem = b.Build();
  const StorageGraph storage_graph(problem);
  const StepGraph graph(storage_graph);
  EXPECT_EQ(StepState(graph, Direction::kForward).Cost(OpId(0)).step_bytes, 18);
  EXPECT_EQ(StepState(graph, Direction::kReverse).Cost(OpId(0)).step_bytes, 18);
}

TEST(StepStateTest, InputArrivesAtItsFirstReader) {
  // Only op 1 reads x (50): during op 0 it is not there yet.
  ProblemBuilder b;
  const ValueId x = b.Input(50);
  const ValueId a = b.Op({}, 7);
  b.Output(b.Op({a, x}, 1));
  b.problem().inputs = memory::InputArrival::kFirstUse;
  const memory::Problem problem = b.Build();
  const StorageGraph storage_graph(problem);
  const StepGraph graph(storage_graph);
  StepState state(graph, Direction::kForward);
  EXPECT_EQ(state.live_bytes(), 0);
  EXPECT_EQ(state.Cost(OpId(0)).step_bytes, 7);
  state.Take(OpId(0));
  EXPECT_EQ(state.Cost(OpId(1)).step_bytes, 7 + 50 + 1);
  EXPECT_EQ(state.Cost(OpId(1)).live_bytes, 1);
  StepState back(graph, Direction::kReverse);
  EXPECT_EQ(back.live_bytes(), 1);
  EXPECT_EQ(back.Cost(OpId(1)).step_bytes, 7 + 50 + 1);
  EXPECT_EQ(back.Cost(OpId(1)).live_bytes, 7);
}

TEST(FreeStepsTest, TakesWhatFreesAndNothingElse) {
  // x (10) is resident. op 0: x -> 4 bytes (x stays for op 1): not free. op 1: x -> 6 bytes: free
  // once op 0 ran, because x (10) dies for 6. op 2 reads op 1's 6 bytes and makes 9: not free.
  ProblemBuilder b;
  const ValueId x = b.Input(10);
  const ValueId a = b.Op({x}, 4);
  const ValueId c = b.Op({x}, 6);
  b.Output(a).Output(b.Op({c}, 9));
  const memory::Problem problem = b.Build();
  const StorageGraph storage_graph(problem);
  const StepGraph graph(storage_graph);
  StepState state(graph, Direction::kForward);
  TakeFreeSteps(state, 1000, 100);
  EXPECT_EQ(state.num_taken(), 0u);
  state.Take(OpId(0));
  TakeOpenedSteps(state, 19, 100);  // op 1 needs x + a + 6 = 20
  EXPECT_EQ(state.num_taken(), 1u);
  TakeFreeSteps(state, 20, 100);
  EXPECT_EQ(state.num_taken(), 2u);
  state.Undo();
  TakeOpenedSteps(state, 20, 0);
  EXPECT_EQ(state.num_taken(), 1u);
  TakeOpenedSteps(state, 20, 100);
  EXPECT_EQ(state.num_taken(), 2u);
  EXPECT_EQ(state.live_bytes(), 4 + 6);
}

TEST(ByteGridTest, CellsBelowTheOffsetToo) {
  const ByteGrid grid(3, 8);
  EXPECT_EQ(grid.Cell(2), -1);
  EXPECT_EQ(grid.Cell(3), 0);
  EXPECT_EQ(grid.Cell(10), 0);
  EXPECT_EQ(grid.Cell(11), 1);
  EXPECT_EQ(grid.LastOf(0), 10);
  EXPECT_EQ(grid.LastOf(-1), 2);
  EXPECT_EQ(ByteGrid(3, 0).LastOf(4), 7);  // nothing comes and goes
}

// So that two budgets in one cell allow the same steps.
TEST(ByteGridTest, AllStepsAreOnTheGrid) {
  int num_coarse = 0;
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    const memory::Problem problem = memory::testing::RandomProblem(seed, {.max_ops = 12});
    const memory::StorageGraph graph(problem);
    const StepGraph steps(graph);
    num_coarse += steps.grid.LastOf(0) > steps.grid.LastOf(-1) + 1 ? 1 : 0;
    for (const Direction direction : {Direction::kForward, Direction::kReverse}) {
      for (StepState state(steps, direction); !state.complete(); state.Take(state.ready().back())) {
        for (const memory::OpId op : state.ready()) {
          const std::int64_t bytes = state.Cost(op).step_bytes;
          ASSERT_LT(steps.grid.Cell(bytes - 1), steps.grid.Cell(bytes)) << seed;
        }
      }
    }
  }
  EXPECT_GT(num_coarse, 500);
}

}  // namespace
}  // namespace opass::schedulers
