#include "opass/orchestrator/evaluator.h"

#include <gtest/gtest.h>

#include "opass/orchestrator/testing/toy_domain.h"
#include "opass/support/interrupt.h"

namespace opass::orchestrator {
namespace {

// a (400) -> b (200) or c (300) or d (900), which costs 5 MACs.
ToyProblem Branches() {
  ToyProblem problem;
  problem.start = "a";
  problem.rules = {{"to_b", "a", "b"}, {"to_c", "a", "c"}, {"to_d", "a", "d"}};
  problem.weights = {{'a', 4}, {'b', 2}, {'c', 3}, {'d', 9}};
  problem.macs = {{'d', 5}};
  return problem;
}

StateId Go(ToyDomain& domain, std::size_t action) { return **domain.Apply(kStart, action); }

TEST(EvaluatorTest, EachStateIsScheduledOnce) {
  ToyDomain domain(Branches());
  const SearchOptions options;
  Evaluator evaluator(domain, options);
  const StateId b = Go(domain, 0);
  ASSERT_EQ(evaluator.Evaluate(kStart)->cost.peak_bytes, 400);
  ASSERT_EQ(evaluator.Evaluate(b)->cost.peak_bytes, 200);
  ASSERT_EQ(evaluator.Evaluate(b)->cost.peak_bytes, 200);
  EXPECT_EQ(evaluator.counts().evaluations, 2);
  EXPECT_EQ(evaluator.counts().repeats, 1);
  EXPECT_EQ(evaluator.best(), b);
  EXPECT_EQ(domain.num_quick(), 2);
  EXPECT_EQ(domain.num_full(), 0);  // the quick peaks are at their bounds
}

TEST(EvaluatorTest, WhatCannotBeatTheBestIsNotScheduled) {
  ToyDomain domain(Branches());
  const SearchOptions options;
  Evaluator evaluator(domain, options);
  ASSERT_TRUE(evaluator.Evaluate(kStart).ok());
  const Result<Evaluation> d = evaluator.Evaluate(Go(domain, 2));
  EXPECT_EQ(d->verdict, Verdict::kBeyondBound);
  EXPECT_EQ(d->cost.peak_bytes, 900);
  EXPECT_EQ(evaluator.counts().evaluations, 1);
  EXPECT_EQ(evaluator.counts().beyond_bound, 1);
}

TEST(EvaluatorTest, WithoutStagingAllIsScheduledInFull) {
  ToyDomain domain(Branches());
  SearchOptions options;
  options.staging = false;
  Evaluator evaluator(domain, options);
  ASSERT_TRUE(evaluator.Evaluate(kStart).ok());
  EXPECT_EQ(evaluator.Evaluate(Go(domain, 2))->verdict, Verdict::kScheduled);
  EXPECT_EQ(domain.num_quick(), 0);
  EXPECT_EQ(domain.num_full(), 2);
}

TEST(EvaluatorTest, FullScheduleWhereTheQuickOneLeavesHope) {
  ToyProblem problem = Branches();
  problem.bound_gap = 150;
  problem.quick_excess = 40;
  ToyDomain domain(problem);
  const SearchOptions options;
  Evaluator evaluator(domain, options);
  // The start: 440 quick, 400 full. So quick peaks may be a tenth too high.
  EXPECT_EQ(evaluator.Evaluate(kStart)->cost.peak_bytes, 400);
  EXPECT_EQ(evaluator.Evaluate(Go(domain, 0))->cost.peak_bytes, 200);
  EXPECT_EQ(domain.num_full(), 2);
  // 340 quick, far above 200: its full schedule is not asked for.
  EXPECT_EQ(evaluator.Evaluate(Go(domain, 1))->cost.peak_bytes, 340);
  EXPECT_EQ(domain.num_full(), 2);
  EXPECT_EQ(evaluator.counts().full_schedules, 2);
  EXPECT_EQ(evaluator.EvaluateFully(Go(domain, 1))->peak_bytes, 300);
}

TEST(EvaluatorTest, NeverMoreEvaluationsThanAllowed) {
  ToyDomain domain(Branches());
  SearchOptions options;
  options.max_evaluations = 2;
  Evaluator evaluator(domain, options);
  ASSERT_TRUE(evaluator.Evaluate(kStart).ok());
  EXPECT_FALSE(evaluator.Done());
  EXPECT_TRUE(evaluator.Done(/*reserve=*/1));
  EXPECT_EQ(evaluator.Evaluate(Go(domain, 1))->verdict, Verdict::kScheduled);
  EXPECT_TRUE(evaluator.Done());
  EXPECT_EQ(evaluator.Evaluate(Go(domain, 0))->verdict, Verdict::kOutOfBudget);
  EXPECT_EQ(evaluator.counts().evaluations, 2);
}

TEST(EvaluatorTest, ADeadlineEndsIt) {
  ToyDomain domain(Branches());
  const SearchOptions options;
  Evaluator evaluator(domain, options);
  const Deadline deadline(1e-9);
  while (!Interrupted()) continue;
  EXPECT_EQ(evaluator.Evaluate(kStart)->verdict, Verdict::kScheduled);  // in any case
  EXPECT_TRUE(evaluator.Done());
  EXPECT_EQ(evaluator.Evaluate(Go(domain, 0))->verdict, Verdict::kOutOfBudget);
}

TEST(EvaluatorTest, TooManyMacsAreNoResult) {
  ToyProblem problem = Branches();
  problem.weights['d'] = 1;
  ToyDomain domain(problem);
  SearchOptions options;
  options.max_extra_macs = 4;
  Evaluator evaluator(domain, options);
  ASSERT_TRUE(evaluator.Evaluate(kStart).ok());
  EXPECT_EQ(evaluator.Evaluate(Go(domain, 2))->verdict, Verdict::kTooManyMacs);
  EXPECT_EQ(evaluator.best(), kStart);
  options.max_extra_macs = 5;
  Evaluator more(domain, options);
  ASSERT_TRUE(more.Evaluate(kStart).ok());
  EXPECT_EQ(more.Evaluate(Go(domain, 2))->verdict, Verdict::kScheduled);
}

TEST(EvaluatorTest, CostsInOrder) {
  const Cost cost{100, 50, 10, 5};
  EXPECT_LT((Cost{99, 60, 20, 9}), cost);
  EXPECT_LT((Cost{100, 49, 20, 9}), cost);
  EXPECT_LT((Cost{100, 50, 9, 9}), cost);
  EXPECT_LT((Cost{100, 50, 10, 4}), cost);
  EXPECT_FALSE(cost < cost);
}

TEST(EvaluatorTest, WithoutTheNormEqualPeaksAreEqual) {
  ToyProblem problem;
  problem.start = "aa";
  problem.rules = {{"to_b", "a", "b"}};
  problem.weights = {{'a', 4}, {'b', 2}};
  problem.has_macros = false;
  ToyDomain domain(problem);
  SearchOptions options;
  Evaluator with(domain, options);
  ASSERT_TRUE(with.Evaluate(kStart).ok());
  EXPECT_LT(with.Evaluate(Go(domain, 0))->cost, with.Known(kStart)->cost);
  options.norm = false;
  Evaluator without(domain, options);
  ASSERT_TRUE(without.Evaluate(kStart).ok());
  EXPECT_EQ(without.Evaluate(Go(domain, 0))->cost, without.Known(kStart)->cost);
}

}  // namespace
}  // namespace opass::orchestrator
