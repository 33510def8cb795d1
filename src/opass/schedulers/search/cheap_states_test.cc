#include "opass/schedulers/search/cheap_states.h"

#include <gtest/gtest.h>

#include "opass/memory/testing/problem_builder.h"

namespace opass::schedulers {
namespace {

using memory::OpId;

TEST(CheapStatesTest, AStateSpeaksForTheOperatorsThatCanRunInIt) {
  memory::testing::ProblemBuilder builder;
  const auto x = builder.Op({}, 1);       // op 0
  const auto y = builder.Op({x}, 1);      // op 1
  const auto z = builder.Op({x}, 1);      // op 2
  builder.Output(builder.Op({y, z}, 1));  // op 3
  const memory::Problem problem = builder.Build();
  const memory::StorageGraph graph(problem);
  CheapStates states(graph);
  const OpId executed[] = {OpId(0), OpId(2)};
  states.Add(executed, 5);

  const CheapStates::Sides sides = states.SidesWithin(OpId(1), 5);
  EXPECT_TRUE(sides.executed.Holds(OpId(2)));
  EXPECT_FALSE(sides.executed.Holds(OpId(3)));
  EXPECT_TRUE(sides.waiting.Holds(OpId(3)));
  EXPECT_FALSE(sides.waiting.Holds(OpId(2)));
  // Too many bytes; an operator that has run; one that waits for another.
  EXPECT_FALSE(states.SidesWithin(OpId(1), 4).executed.Holds(OpId(2)));
  EXPECT_FALSE(states.SidesWithin(OpId(2), 5).executed.Holds(OpId(0)));
  EXPECT_FALSE(states.SidesWithin(OpId(3), 5).executed.Holds(OpId(2)));
}

TEST(CheapStatesTest, ForgetsTheOldest) {
  memory::testing::ProblemBuilder builder;
  builder.Output(builder.Op({}, 1));  // op 0
  builder.Output(builder.Op({}, 1));  // op 1
  const memory::Problem problem = builder.Build();
  const memory::StorageGraph graph(problem);
  CheapStates states(graph);
  const OpId first[] = {OpId(1)};
  states.Add(first, 1);
  EXPECT_TRUE(states.SidesWithin(OpId(0), 1).executed.Holds(OpId(1)));
  for (int i = 0; i < 10'000; ++i) states.Add({}, 0);
  EXPECT_FALSE(states.SidesWithin(OpId(0), 1).executed.Holds(OpId(1)));
}

}  // namespace
}  // namespace opass::schedulers
