#include "opass/orchestrator/search.h"

#include <gtest/gtest.h>

#include "opass/orchestrator/found.h"
#include "opass/orchestrator/testing/toy_domain.h"
#include "opass/orchestrator/undo.h"

namespace opass::orchestrator {
namespace {

// What helps (a -> b), what does not (x -> yy), a way round (x -> z -> a lighter letter).
ToyProblem Mixed() {
  ToyProblem problem;
  problem.start = "axu";
  problem.rules = {{"pay", "a", "b"},
                   {"idle", "x", "yy"},
                   {"crash", "", ""},
                   {"go", "u", "v"},
                   {"back", "v", "u"}};
  problem.weights = {{'a', 4}, {'b', 2}};
  return problem;
}

std::size_t ActionOf(Search& search, StateId state, const std::string& pass) {
  EXPECT_TRUE(search.Open(state).ok());
  const std::span<const Action> actions = search.Actions(state);
  for (std::size_t i = 0; i < actions.size(); ++i) {
    if (actions[i].pass == pass) return i;
  }
  ADD_FAILURE() << "no action of " << pass;
  return 0;
}

Trial Try(Search& search, StateId state, const std::string& pass) {
  return *search.Try(state, ActionOf(search, state, pass));
}

TEST(SearchTest, OutcomesAndGains) {
  ToyDomain domain(Mixed());
  const SearchOptions options;
  Search search(domain, options);
  ASSERT_TRUE(search.Begin().ok());
  EXPECT_EQ(Try(search, kStart, "crash").outcome, Outcome::kNoChange);
  EXPECT_EQ(Try(search, kStart, "idle").outcome, Outcome::kNotBetter);
  const Trial pay = Try(search, kStart, "pay");
  EXPECT_EQ(pay.outcome, Outcome::kBest);
  EXPECT_GT(*search.Gain(pay.to), 0.5);
  EXPECT_EQ(search.BestGain(), *search.Gain(pay.to));
  const Trial go = Try(search, kStart, "go");
  EXPECT_EQ(go.outcome, Outcome::kBeyondBound);  // 400 is above 200 now
  EXPECT_EQ(Try(search, go.to, "back").to, kStart);
  EXPECT_EQ(search.trials().size(), 5);
  Try(search, kStart, "pay");  // known
  EXPECT_EQ(search.trials().size(), 5);
  EXPECT_EQ(search.evaluator().counts().no_changes, 1);
}

TEST(SearchTest, WalksDoNotEvaluate) {
  ToyDomain domain(Mixed());
  const SearchOptions options;
  Search search(domain, options);
  ASSERT_TRUE(search.Begin().ok());
  const Result<Trial> step = search.Walk(kStart, ActionOf(search, kStart, "pay"));
  EXPECT_EQ(step->outcome, Outcome::kNotEvaluated);
  EXPECT_FALSE(search.Gain(step->to).has_value());
  EXPECT_EQ(search.evaluator().counts().evaluations, 1);
  EXPECT_EQ(Try(search, kStart, "pay").outcome, Outcome::kBest);
}

TEST(SearchTest, PathsAreTheShortestKnown) {
  ToyDomain domain(Mixed());
  const SearchOptions options;
  Search search(domain, options);
  ASSERT_TRUE(search.Begin().ok());
  const StateId go = Try(search, kStart, "go").to;
  const StateId both = Try(search, go, "pay").to;
  const StateId pay = Try(search, both, "back").to;
  EXPECT_EQ(search.Depth(pay), 3);
  EXPECT_EQ(Try(search, kStart, "pay").to, pay);
  EXPECT_EQ(search.Depth(pay), 1);
  ASSERT_EQ(search.PathTo(pay).size(), 1);
  EXPECT_EQ(search.PathTo(both).size(), 2);
}

TEST(UndoTest, WhatDidNotPayIsLeftOut) {
  ToyDomain domain(Mixed());
  const SearchOptions options;
  Search search(domain, options);
  ASSERT_TRUE(search.Begin().ok());
  const StateId idle = Try(search, kStart, "idle").to;
  const StateId paid = Try(search, idle, "pay").to;
  const StateId end = Try(search, paid, "go").to;
  const Result<std::vector<Trial>> path = WithoutUseless(search, search.PathTo(end));
  ASSERT_EQ(path->size(), 1);
  EXPECT_EQ(search.Actions(kStart)[path->front().action].pass, "pay");
}

TEST(UndoTest, WhatLaterActionsNeedStays) {
  ToyDomain domain(Locks(1));
  const SearchOptions options;
  Search search(domain, options);
  ASSERT_TRUE(search.Begin().ok());
  StateId state = kStart;
  for (const char* pass : {"raise_a", "turn", "open", "cut"}) state = Try(search, state, pass).to;
  EXPECT_EQ(search.CostOf(state)->peak_bytes, kLocksBestPeak);
  EXPECT_EQ(WithoutUseless(search, search.PathTo(state))->size(), 3);
}

TEST(UndoTest, StaysWithinTheBudget) {
  ToyDomain domain(Mixed());
  SearchOptions options;
  options.max_evaluations = 3;
  Search search(domain, options);
  ASSERT_TRUE(search.Begin().ok());
  const StateId idle = Try(search, kStart, "idle").to;
  const StateId paid = Try(search, idle, "pay").to;
  EXPECT_EQ(WithoutUseless(search, search.PathTo(paid))->size(), 2);
  EXPECT_EQ(search.evaluator().counts().evaluations, 3);
}

// A plateau: of two equal letters one becomes light. The peak stays, the norm falls.
TEST(UndoTest, AStepThatLowersTheNormAloneStays) {
  ToyProblem problem;
  problem.start = "ac";
  problem.rules = {{"pay", "a", "b"}};
  problem.weights = {{'a', 4}, {'c', 4}};
  ToyDomain domain(problem);
  for (const bool norm : {true, false}) {
    SearchOptions options;
    options.norm = norm;
    Search search(domain, options);
    ASSERT_TRUE(search.Begin().ok());
    const StateId paid = Try(search, kStart, "pay").to;
    EXPECT_EQ(search.CostOf(paid)->peak_bytes, search.CostOf(kStart)->peak_bytes);
    EXPECT_EQ(WithoutUseless(search, search.PathTo(paid))->size(), norm ? 1 : 0);
  }
}

TEST(FoundTest, TellsWhatWasTriedAndWhatItEnabled) {
  ToyDomain domain(Locks(1));
  const SearchOptions options;
  Search search(domain, options);
  ASSERT_TRUE(search.Begin().ok());
  StateId state = kStart;
  Try(search, state, "split");
  for (const char* pass : {"turn", "open", "cut"}) state = Try(search, state, pass).to;
  const Result<Found> found = Conclude(search, StoppedBy::kNobody);
  ASSERT_EQ(found->path.size(), 3);
  EXPECT_EQ(found->path[1].name, "open at 0");
  EXPECT_EQ(found->path[1].enabled, (std::vector<std::string>{"close", "cut"}));
  EXPECT_EQ(found->start.peak_bytes, kLocksStartPeak);
  EXPECT_EQ(found->cost.peak_bytes, kLocksBestPeak);
  ASSERT_EQ(found->attempts.size(), 4);
  EXPECT_EQ(found->attempts[0].name, "split at 0");
  EXPECT_EQ(found->attempts[0].gained_bytes, 300);
  EXPECT_FALSE(found->attempts[0].is_in_result);
  EXPECT_TRUE(found->attempts[3].is_in_result);
  EXPECT_EQ(domain.Word(found->state), "cka");
}

}  // namespace
}  // namespace opass::orchestrator
