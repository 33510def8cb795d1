// Rules that look right and are not, each on the smallest problem found on which it goes wrong
// (design "scheduling", 1.9), beside the rule in its right form.
#include <gtest/gtest.h>

#include <algorithm>

#include "opass/memory/testing/brute_force.h"
#include "opass/memory/testing/problem_builder.h"
#include "opass/memory/testing/random_problem.h"
#include "opass/schedulers/search/both_ways.h"
#include "opass/schedulers/search/decide.h"
#include "opass/schedulers/search/exact.h"
#include "opass/schedulers/search/free_steps.h"
#include "opass/schedulers/search/implied_edges.h"
#include "opass/schedulers/search/mask_model.h"

namespace opass::schedulers {
namespace {

using memory::OpId;
using memory::Problem;
using memory::StorageGraph;
using memory::ValueId;
using memory::testing::BruteForcePeak;
using memory::testing::ProblemBuilder;
using memory::testing::RandomProblem;

struct Wrong {
  MaskModel::Taking taking;
  MaskModel::Commit commit;
};

// Misses the optimum of the same memory model.
bool Misses(const Problem& problem, const Wrong& wrong) {
  const StorageGraph graph(problem);
  MaskModel model(graph, wrong.taking);
  const std::int64_t optimum = model.Optimum();
  return !model.Finds(optimum, wrong.commit, Direction::kForward) ||
         !model.Finds(optimum, wrong.commit, Direction::kReverse);
}

constexpr Wrong kClosedCommit{MaskModel::Taking::kBest, MaskModel::Commit::kClosed};
constexpr Wrong kListedTaking{MaskModel::Taking::kAsListed, MaskModel::Commit::kOpened};
constexpr Wrong kAnySizeTaking{MaskModel::Taking::kAnySize, MaskModel::Commit::kOpened};
constexpr Wrong kRight{MaskModel::Taking::kBest, MaskModel::Commit::kOpened};

// The search of the library finds and proves the optimum of the problem.
void ExpectRight(const Problem& problem) {
  const StorageGraph storage_graph(problem);
  const StepGraph graph(storage_graph);
  const std::int64_t optimum = BruteForcePeak(problem);
  for (const Direction direction : {Direction::kForward, Direction::kReverse}) {
    const Decision found = Decide(graph, {.budget_bytes = optimum, .direction = direction});
    EXPECT_EQ(found.answer, Decision::Answer::kFound);
    EXPECT_EQ(Decide(graph, {.budget_bytes = optimum - 1, .direction = direction}).answer,
              Decision::Answer::kRefuted);
  }
}

TEST(PitfallsTest, TheModelWrittenHereIsRight) {
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    const Problem problem = RandomProblem(seed, {.min_ops = 2, .max_ops = 6});
    const StorageGraph graph(problem);
    ASSERT_EQ(MaskModel(graph, MaskModel::Taking::kBest).Optimum(), BruteForcePeak(problem))
        << seed;
    ASSERT_FALSE(Misses(problem, kRight)) << seed;
    ASSERT_FALSE(Misses(problem, {MaskModel::Taking::kFitsOnly, MaskModel::Commit::kOpened}))
        << seed;
  }
}

// Commit, from the end: taking op1 leaves more live; with op2 and op0, which it did not make ready,
// as little as before. But these two without op1 leave less still, which op3 needs.
TEST(PitfallsTest, ACommitMustNotCountStepsThatWereReadyAnyway) {
  ProblemBuilder b;
  const ValueId x = b.Input(1);
  const ValueId y = b.Input(1);
  const ValueId z = b.Op({}, 2);
  b.Output(z);
  b.Ops({y, x}, {});
  b.Ops({y, z}, {});
  b.Op({}, 3);
  const Problem problem = b.Build();
  EXPECT_TRUE(Misses(problem, kClosedCommit));
  EXPECT_FALSE(Misses(problem, kRight));
  ExpectRight(problem);
}

// In place with several outputs: when v1 does not die at op0, v2 takes v0 and v3 nothing. The step
// loses 2 bytes because 1 byte stays, so that what holds of live bytes does not hold of steps.
TEST(PitfallsTest, OutputsMustNotTakeOverInTurn) {
  ProblemBuilder b;
  const ValueId large = b.Input(2);
  const ValueId small = b.Input(1);
  const std::vector<ValueId> made = b.Ops({small, large}, {1, 2});
  b.Candidate(made[0], small).Candidate(made[0], large).Candidate(made[1], large);
  b.Output(b.Op({small}, 1));
  const Problem problem = b.Build();
  EXPECT_TRUE(Misses(problem, kListedTaking));
  EXPECT_FALSE(Misses(problem, kRight));
  ExpectRight(problem);
}

// In place in a smaller input: 2 bytes are gained where 1 dies.
TEST(PitfallsTest, OutputsMustNotTakeOverSmallerInputs) {
  ProblemBuilder b;
  const ValueId small = b.Input(1);
  const ValueId large = b.Op({small}, 2);
  b.Output(b.Op({small}, 1));
  EXPECT_TRUE(Misses(b.Build(), kAnySizeTaking));
  EXPECT_FALSE(Misses(b.Build(), {MaskModel::Taking::kFitsOnly, MaskModel::Commit::kOpened}));
  Problem refused = b.Build();
  refused.ops[0].in_place.push_back({large, small});
  EXPECT_FALSE(memory::Validate(refused).ok());
}

// What is searched from the end is an order backwards.
TEST(PitfallsTest, AnOrderFromTheEndMustBeReversedBeforeItIsEvaluated) {
  ProblemBuilder b;
  const ValueId a = b.Op({}, 10);
  b.Workspace(a, 100).Output(a);
  b.Output(b.Op({}, 50));
  const Problem problem = b.Build();
  const StorageGraph storage_graph(problem);
  const StepGraph graph(storage_graph);
  for (const Direction direction : {Direction::kForward, Direction::kReverse}) {
    std::vector<OpId> order = Decide(graph, {.budget_bytes = 110, .direction = direction}).order;
    EXPECT_EQ(PeakBytes(graph, order), 110);
    std::reverse(order.begin(), order.end());
    EXPECT_EQ(PeakBytes(graph, order), 160);
  }
}

// Without a step there is nothing above the budget to learn the next one from.
TEST(PitfallsTest, TheEndsMayBeAboveTheBudgetBeforeAnyStepIs) {
  ProblemBuilder b;
  const Problem problem = b.Preserve(b.Input(30)).Build();
  const StorageGraph storage_graph(problem);
  const StepGraph graph(storage_graph);
  for (const Direction direction : {Direction::kForward, Direction::kReverse}) {
    const Decision refuted = Decide(graph, {.budget_bytes = 20, .direction = direction});
    EXPECT_EQ(refuted.answer, Decision::Answer::kRefuted);
    EXPECT_EQ(refuted.at_least_bytes, 30);
  }
}

// Half of `width` operators free what the other half, which are looked at first, do not: a scan
// that begins anew after each of them looks at width squared / 4. So work is counted in looks.
TEST(PitfallsTest, AClosureThatRestartsItsScanIsWorkThatCounts) {
  constexpr std::uint64_t kWidth = 400;
  ProblemBuilder b;
  for (std::uint64_t i = 0; i < kWidth / 2; ++i) b.Output(b.Op({b.Input(8)}, 1));
  for (std::uint64_t i = 0; i < kWidth / 2; ++i) b.Output(b.Op({b.Input(1)}, 8));
  const Problem problem = b.Build();
  const StorageGraph storage_graph(problem);
  const StepGraph graph(storage_graph);
  StepState all(graph, Direction::kForward);
  const std::uint64_t looks = TakeFreeSteps(all, 1'000'000, kWidth);
  EXPECT_EQ(all.num_taken(), kWidth / 2);
  EXPECT_GT(looks, kWidth * kWidth / 8);
  StepState few(graph, Direction::kForward);  // a heuristic may stop looking
  EXPECT_LT(TakeFreeSteps(few, 1'000'000, 16), 20u);
  DecideOptions options{.budget_bytes = 1'000'000};
  EXPECT_GE(Decide(graph, options).looks, looks);
  options.max_looks = looks / 2;
  EXPECT_EQ(Decide(graph, options).answer, Decision::Answer::kUnknown);
}

// Implied precedences cost a cut or more for every operator; the search they were to save is often
// cheaper, and always tried before.
TEST(PitfallsTest, ImpliedEdgesWaitForTheSearchToFail) {
  constexpr std::uint64_t kLooksPerState = 500;  // of operators; a generous estimate
  int num_searched = 0;
  int num_cheaper = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const Problem problem = RandomProblem(seed, {.min_ops = 60, .max_ops = 60});
    const StorageGraph graph(problem);
    std::vector<OpId> order;
    for (std::size_t i = 0; i < graph.num_ops(); ++i) order.emplace_back(i);
    ExactOptions options;
    options.rules.split = false;
    const ExactResult result = FindExact(graph, order, {}, options);
    const memory::Bound& bound = *memory::Deciding(result.bound).bound;
    if (bound.kind != memory::Bound::Kind::kSearch) continue;
    ++num_searched;
    ASSERT_EQ(bound.search.implied_edges, 0) << seed;
    const std::uint64_t cuts = ImpliedEdges(graph, result.peak_bytes - 1).work;
    num_cheaper += kLooksPerState * result.nodes < cuts ? 1 : 0;
  }
  EXPECT_GT(num_searched, 5);
  EXPECT_GT(num_cheaper, num_searched / 2);
}

}  // namespace
}  // namespace opass::schedulers
