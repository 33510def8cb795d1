#include "opass/schedulers/search/twins.h"

#include <gtest/gtest.h>

#include "opass/memory/testing/brute_force.h"
#include "opass/memory/testing/problem_builder.h"
#include "opass/memory/testing/random_problem.h"
#include "opass/schedulers/search/part.h"

namespace opass::schedulers {
namespace {

using memory::OpId;
using memory::ValueId;
using memory::testing::ProblemBuilder;

std::vector<Precedence> Twins(const memory::Problem& problem) {
  return TwinPrecedences(memory::StorageGraph(problem));
}

// x -> (a -> b) twice, with these sizes of the second a and b, and one reader of both.
memory::Problem TwoBranches(std::int64_t a_bytes, std::int64_t b_bytes, bool in_place) {
  ProblemBuilder builder;
  const ValueId x = builder.Input(8);
  const auto branch = [&](std::int64_t first, std::int64_t second, bool over) {
    const ValueId a = builder.Op({x}, first);                              // ops 0, 2
    return over ? builder.InPlace({a}, second) : builder.Op({a}, second);  // ops 1, 3
  };
  const ValueId left = branch(6, 4, false);
  const ValueId right = branch(a_bytes, b_bytes, in_place);
  builder.Output(builder.Op({left, right}, 1));
  return builder.Build();
}

TEST(TwinsTest, ChainsThatCouldChangePlaces) {
  EXPECT_EQ(Twins(TwoBranches(6, 4, false)), (std::vector<Precedence>{{OpId(0), OpId(2)}}));
}

TEST(TwinsTest, AnyDifferenceTellsThemApart) {
  EXPECT_TRUE(Twins(TwoBranches(7, 4, false)).empty());
  EXPECT_TRUE(Twins(TwoBranches(6, 5, false)).empty());
  EXPECT_TRUE(Twins(TwoBranches(6, 4, true)).empty());
}

TEST(TwinsTest, AnotherReaderTellsThemApart) {
  ProblemBuilder builder;
  const ValueId x = builder.Input(8);
  const ValueId a = builder.Op({x}, 4);
  const ValueId b = builder.Op({x}, 4);
  builder.Output(builder.Op({a, b}, 1));
  EXPECT_EQ(Twins(builder.Build()).size(), 1u);
  builder.Output(builder.Op({b}, 1));
  EXPECT_TRUE(Twins(builder.Build()).empty());
}

TEST(TwinsTest, AnOutputOfTheModelEndsAChain) {
  ProblemBuilder builder;
  const ValueId x = builder.Input(8);
  for (int i = 0; i < 2; ++i) {
    const ValueId a = builder.Op({x}, 4);
    builder.Output(a);
    builder.Output(builder.Op({a}, 2));
  }
  EXPECT_TRUE(Twins(builder.Build()).empty());  // the two behind read different storages
}

TEST(TwinsTest, ManyTwinsAreOrderedOneAfterTheOther) {
  ProblemBuilder builder;
  const ValueId x = builder.Input(8);
  std::vector<ValueId> made;
  for (int i = 0; i < 4; ++i) made.push_back(builder.Op({x}, 4));
  builder.Output(builder.Op(made, 1));
  EXPECT_EQ(Twins(builder.Build()),
            (std::vector<Precedence>{{OpId(0), OpId(1)}, {OpId(1), OpId(2)}, {OpId(2), OpId(3)}}));
}

TEST(TwinsTest, ALongChainIsDescribedInTimeOfItsLength) {
  ProblemBuilder builder;
  ValueId last = builder.Input(8);
  for (int i = 0; i < 100'000; ++i) last = builder.Op({last}, 4);
  builder.Output(last);
  EXPECT_TRUE(Twins(builder.Build()).empty());
}

// Random problems with an operator doubled here and there.
TEST(TwinsOracleTest, TheOptimumStaysThatOfAllOrders) {
  std::size_t num_twins = 0;
  for (std::uint64_t seed = 0; seed < 4000; ++seed) {
    const memory::Problem problem =
        memory::testing::RandomProblem(seed, {.min_ops = 2, .max_ops = 8, .max_size_bytes = 3});
    const memory::StorageGraph graph(problem);
    const std::vector<Precedence> twins = TwinPrecedences(graph);
    if (twins.empty()) continue;
    num_twins += twins.size();
    const std::vector<OpId> order = OrderWith(graph, twins);
    ASSERT_EQ(order.size(), graph.num_ops()) << seed;
    const Part narrowed(graph, {}, order, twins);
    if (narrowed.graph().num_ops() > 10) continue;
    ASSERT_EQ(memory::testing::BruteForcePeak(narrowed.graph().problem()),
              memory::testing::BruteForcePeak(problem))
        << seed;
  }
  EXPECT_GT(num_twins, 300u);
}

}  // namespace
}  // namespace opass::schedulers
