#include "opass/schedulers/search/narrow_plan.h"

#include <gtest/gtest.h>

#include <random>

#include "opass/bounds/lower_bound.h"
#include "opass/memory/testing/problem_builder.h"
#include "opass/schedulers/search/exact.h"

namespace opass::schedulers {
namespace {

using Answer = NarrowPlan::Answer;

// Asks on until nothing is left, of an oracle that answers what lies outside [unknown, known).
struct Asked {
  std::int64_t low;
  std::int64_t high;
  int num_questions = 0;
};
Asked AskAll(NarrowPlan plan, std::int64_t low, std::int64_t high, std::int64_t refuted_below,
             std::int64_t found_from) {
  Asked asked{low, high};
  while (const auto question = plan.Next(asked.low, asked.high)) {
    EXPECT_GE(question->budget_bytes, asked.low);
    EXPECT_LE(question->budget_bytes, asked.high);
    Answer answer = Answer::kUnknown;
    if (question->budget_bytes < refuted_below) {
      answer = Answer::kRefuted;
      asked.low = question->budget_bytes + 1;
    } else if (question->budget_bytes >= found_from) {
      answer = Answer::kFound;
      asked.high = question->budget_bytes - 1;
    }
    plan.Record(answer);
    if (++asked.num_questions > 1000) break;
  }
  return asked;
}

TEST(NarrowPlanTest, FindsTheOptimumWhereEverythingHasAnAnswer) {
  for (std::int64_t optimum = 10; optimum <= 40; ++optimum) {
    const Asked asked = AskAll(NarrowPlan({.max_nodes = 1000}), 10, 39, optimum, optimum);
    EXPECT_EQ(asked.low, optimum);
    EXPECT_EQ(asked.high, optimum - 1);
    EXPECT_LE(asked.num_questions, 6);
  }
}

TEST(NarrowPlanTest, NarrowsFromBothSidesOfWhatHasNoAnswer) {
  for (std::int64_t first = 0; first < 60; ++first) {
    for (std::int64_t last = first; last < 60; ++last) {
      const Asked asked = AskAll(NarrowPlan({.max_nodes = 50'000}), 0, 59, first, last + 1);
      EXPECT_EQ(asked.low, first);
      EXPECT_EQ(asked.high, last);
      EXPECT_LT(asked.num_questions, 120);
    }
  }
}

TEST(NarrowPlanTest, BothEndsWithMoreAndMoreNodesThenImpliedPrecedences) {
  NarrowPlan plan({.max_nodes = 50'000, .at_bound_first = true, .nodes_before_implied = 20'000});
  const auto ask = [&] {
    const auto question = plan.Next(5, 5);
    plan.Record(Answer::kUnknown);
    return question;
  };
  EXPECT_EQ(*ask(), (NarrowPlan::Question{5, true, 2000, false}));
  EXPECT_EQ(*ask(), (NarrowPlan::Question{5, false, 2000, false}));
  EXPECT_EQ(*ask(), (NarrowPlan::Question{5, true, 16'000, false}));
  EXPECT_EQ(*ask(), (NarrowPlan::Question{5, false, 16'000, false}));
  EXPECT_EQ(*ask(), (NarrowPlan::Question{5, true, 20'000, false}));
  EXPECT_EQ(*ask(), (NarrowPlan::Question{5, false, 16'000, false}));
  EXPECT_TRUE(ask()->with_implied_edges);
  EXPECT_FALSE(ask().has_value());
}

TEST(NarrowPlanTest, OneBudgetOfACell) {
  // Sums of 3 + 8 n: the budgets 11..18 allow the same orders, and 19..26.
  NarrowPlan plan({.max_nodes = 2000, .grid = ByteGrid(3, 8), .from_both_ends = false});
  EXPECT_EQ(plan.Next(11, 26)->budget_bytes, 18);
  plan.Record(Answer::kUnknown);
  EXPECT_EQ(plan.Next(11, 26)->budget_bytes, 26);
  plan.Record(Answer::kUnknown);
  EXPECT_FALSE(plan.Next(11, 26).has_value());
}

TEST(NarrowPlanTest, TheEndThatAnsweredGoesFirst) {
  NarrowPlan plan({.max_nodes = 2000});
  plan.Next(0, 100);
  plan.Record(Answer::kUnknown);
  EXPECT_FALSE(plan.Next(0, 100)->reverse);
  plan.Record(Answer::kRefuted);
  EXPECT_FALSE(plan.Next(51, 100)->reverse);
  EXPECT_FALSE(plan.reverse_first());
}

// Every operator reads two neighbours of the row below: hard for its size.
memory::Problem Pyramid(std::int64_t height, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  memory::testing::ProblemBuilder builder;
  std::vector<memory::ValueId> row;
  for (std::int64_t i = 0; i < height; ++i) row.push_back(builder.Op({}, 1));
  while (row.size() > 1) {
    std::vector<memory::ValueId> next;
    for (std::size_t i = 0; i + 1 < row.size(); ++i) {
      next.push_back(builder.Op({row[i], row[i + 1]}, 1 + static_cast<std::int64_t>(random() % 4)));
    }
    row = next;
  }
  builder.Output(row[0]);
  return builder.Build();
}

// Few nodes, so that questions stay open and searches do run ahead.
TEST(ThreadsTest, AnyNumberGivesTheSameAnswer) {
  int num_open = 0;
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    const memory::Problem problem = Pyramid(18, seed);
    const memory::StorageGraph graph(problem);
    std::vector<memory::OpId> order;
    for (std::size_t i = 0; i < graph.num_ops(); ++i) order.emplace_back(i);
    ExactOptions options;
    options.max_nodes = 2'000 << seed;
    const ExactResult one = FindExact(graph, order, bounds::LowerBound(graph), options);
    num_open += one.peak_bytes > one.bound.bytes ? 1 : 0;
    for (const int threads : {2, 3}) {
      options.threads = threads;
      const ExactResult more = FindExact(graph, order, bounds::LowerBound(graph), options);
      ASSERT_EQ(more.order, one.order) << seed;
      ASSERT_EQ(more.bound.bytes, one.bound.bytes) << seed;
      ASSERT_EQ(more.nodes, one.nodes) << seed;
    }
  }
  EXPECT_GT(num_open, 2);
}

}  // namespace
}  // namespace opass::schedulers
