#include "opass/schedulers/search/exact.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "opass/bounds/lower_bound.h"
#include "opass/memory/check.h"
#include "opass/memory/judge_certificate.h"
#include "opass/memory/testing/brute_force.h"
#include "opass/memory/testing/num_cases.h"
#include "opass/memory/testing/random_problem.h"
#include "opass/memory/testing/simple_plan.h"
#include "opass/schedulers/search/both_ways.h"
#include "opass/schedulers/search/implied_edges.h"
#include "opass/schedulers/search/segment_certificate.h"
#include "opass/schedulers/search/split.h"

namespace opass::schedulers {
namespace {

using memory::Certificate;
using memory::OpId;
using memory::StorageGraph;
using memory::testing::BruteForcePeak;
using memory::testing::NumCases;
using memory::testing::RandomProblem;

SearchRules RulesOf(std::uint64_t bits) {
  SearchRules rules;
  for (const auto& [name, rule] : kSearchRules) {
    rules.*rule = (bits & 1) != 0;
    bits >>= 1;
  }
  return rules;
}

std::vector<OpId> FileOrder(const StorageGraph& graph) {
  std::vector<OpId> order;
  for (std::size_t i = 0; i < graph.num_ops(); ++i) order.emplace_back(i);
  return order;
}

// How often the certificates of the oracle tests were about what.
using KindCount = std::map<memory::Bound::Kind, int>;

// Every claim of the certificate holds.
void JudgeCertificate(const memory::Problem& problem, const ExactResult& result, KindCount& count) {
  memory::Plan plan = memory::testing::SimplePlan(problem, result.order);
  plan.certificate = result.bound;
  plan.lower_bound_bytes = result.bound.bytes;
  const Status status = memory::Check(problem, plan);
  ASSERT_TRUE(status.ok()) << status.error().ToString();
  memory::JudgeOptions options;
  options.prove = true;
  const auto claims = memory::JudgeCertificate(problem, plan, options);
  ASSERT_TRUE(claims.ok()) << claims.error().ToString();
  for (const memory::JudgedClaim& claim : *claims) {
    ASSERT_TRUE(claim.verdict == memory::JudgedClaim::Verdict::kNothing ||
                claim.verdict == memory::JudgedClaim::Verdict::kChecked ||
                claim.verdict == memory::JudgedClaim::Verdict::kConfirmed)
        << claim.message;
    ++count[claim.kind];
  }
}

void Judge(std::uint64_t seed, KindCount& count) {
  // With few sizes many operators are twins.
  const std::int64_t max_size_bytes = seed % 5 == 0 ? 3 : 200;
  const memory::Problem problem =
      RandomProblem(seed, {.min_ops = 2, .max_ops = 9, .max_size_bytes = max_size_bytes});
  const std::int64_t optimum = BruteForcePeak(problem);
  const StorageGraph graph(problem);
  ExactOptions options;
  // All rules in half of the cases; without `components` in half of these, which rarely leaves
  // anything to the others.
  options.rules = RulesOf(seed % 2 == 0 ? ~std::uint64_t{0} : seed / 2);
  if (seed % 4 == 0) options.rules.components = false;
  if (seed % 3 == 0) options.rules.nodes_before_implied = 0;
  if (seed % 12 == 0) options.rules.destructive = false;
  options.max_nodes = 1'000'000'000;  // without a memo all orders are tried
  const ExactResult result = FindExact(graph, FileOrder(graph), Certificate(), options);
  ASSERT_EQ(result.bound.bytes, optimum) << "seed " << seed;
  ASSERT_EQ(result.peak_bytes, optimum) << "seed " << seed;
  const auto schedule = memory::Evaluate(graph, result.order);
  ASSERT_TRUE(schedule.ok()) << "seed " << seed << ": " << schedule.error().ToString();
  ASSERT_EQ(schedule->peak_bytes, optimum) << "seed " << seed;
  SCOPED_TRACE(seed);
  if (seed % 3 == 0) JudgeCertificate(problem, result, count);
}

TEST(ExactOracleTest, FindsAndProvesTheOptimumUnderAnyRules) {
  const std::uint64_t cases = NumCases(20'000, 1'000'000);
  KindCount count;
  for (std::uint64_t seed = 0; seed < cases && !::testing::Test::HasFatalFailure(); ++seed) {
    Judge(seed, count);
  }
  for (const auto& [kind, name] : memory::kBoundKinds) EXPECT_GT(count[kind], 50) << name;
}

// What the oracle tests of the search, which draw these problems, are about.
TEST(ExactOracleTest, TheProblemsHoldEverything) {
  std::map<std::string, int> count;
  for (std::uint64_t seed = 0; seed < 4000; ++seed) {
    const memory::Problem problem = RandomProblem(seed, {.min_ops = 2, .max_ops = 9});
    const StorageGraph graph(problem);
    count["first use"] += problem.inputs == memory::InputArrival::kFirstUse ? 1 : 0;
    for (const memory::Value& value : problem.values) {
      count["view"] += value.view ? 1 : 0;
      count["preserved input"] += value.is_preserved ? 1 : 0;
      count["input that is an output"] += !value.producer.valid() && value.is_output ? 1 : 0;
      count["outside"] += value.in_arena ? 0 : 1;
      count["empty"] += value.size_bytes == 0 ? 1 : 0;
    }
    for (std::size_t i = 0; i < graph.num_ops(); ++i) {
      const memory::StorageOp& op = graph.op(OpId(i));
      count["in place"] += op.takeovers.empty() ? 0 : 1;
      count["several takers"] +=
          !op.takeovers.empty() && op.takeovers.front().output != op.takeovers.back().output;
      count["several outputs"] += op.outputs.size() > 1 ? 1 : 0;
      count["no output"] += op.outputs.empty() ? 1 : 0;
      count["workspace"] += op.workspace_bytes > 0 ? 1 : 0;
    }
    for (std::size_t i = 0; i < graph.num_storages(); ++i) {
      const memory::Storage& storage = graph.storage(memory::StorageId(i));
      count["dead output"] += storage.producer.valid() && storage.readers.empty() && !storage.kept;
    }
  }
  for (const auto& [what, times] : count) EXPECT_GT(times, 200) << what;
}

TEST(SplitOracleTest, BothSidesOfASplitMakeTheWhole) {
  std::size_t num_splits = 0;
  for (std::uint64_t seed = 0; seed < 5000; ++seed) {
    const memory::Problem problem = RandomProblem(seed, {.min_ops = 2, .max_ops = 9});
    const StorageGraph graph(problem);
    const StepGraph steps(graph);
    const SplitOrder split = SplitAlong(graph, FileOrder(graph), 10'000'000);
    ASSERT_LE(PeakBytes(steps, split.order), PeakBytes(steps, FileOrder(graph))) << seed;
    if (split.splits.empty()) continue;
    ++num_splits;
    const std::span<const OpId> order(split.order);
    const std::size_t at = split.splits.front();
    const Part before(graph, {}, order.first(at));
    const Part after(graph, order.first(at), order.subspan(at));
    if (before.graph().num_ops() > 10 || after.graph().num_ops() > 10) continue;
    ASSERT_EQ(
        std::max(BruteForcePeak(before.graph().problem()), BruteForcePeak(after.graph().problem())),
        BruteForcePeak(problem))
        << seed;
  }
  EXPECT_GT(num_splits, 500u);
}

// A split of the order, said to matter by a bound of 0 bytes.
Certificate CertificateAt(const StorageGraph& graph, const std::vector<OpId>& order,
                          std::size_t at) {
  std::vector<Segment> segments(2);
  segments[0].last = segments[1].first = at;
  segments[1].last = order.size();
  Certificate certificate = CertificateOf(StepGraph(graph), {order, {at}}, segments, order);
  certificate.segments[0].bound.kind = memory::Bound::Kind::kResident;
  return certificate;
}

// The checker proves splits by code of its own: what it accepts must be one, whoever claims it.
TEST(SplitOracleTest, TheCheckerAcceptsOnlyWhatSplits) {
  std::size_t num_accepted = 0;
  std::size_t num_refused = 0;
  for (std::uint64_t seed = 0; seed < 3000; ++seed) {
    const memory::Problem problem = RandomProblem(seed, {.min_ops = 2, .max_ops = 8});
    const StorageGraph graph(problem);
    const std::vector<OpId> order = FileOrder(graph);
    const std::size_t at = 1 + seed % (order.size() - 1);
    memory::Plan plan = memory::testing::SimplePlan(problem);
    plan.certificate = CertificateAt(graph, order, at);
    const Status status = memory::Check(problem, plan);
    if (!status.ok()) {
      ASSERT_NE(status.error().message.find("a state close to it"), std::string::npos);
      ++num_refused;
      continue;
    }
    ++num_accepted;
    const std::span<const OpId> all(order);
    const Part before(graph, {}, all.first(at));
    const Part after(graph, all.first(at), all.subspan(at));
    ASSERT_EQ(
        std::max(BruteForcePeak(before.graph().problem()), BruteForcePeak(after.graph().problem())),
        BruteForcePeak(problem))
        << seed;
  }
  EXPECT_GT(num_accepted, 300u);
  EXPECT_GT(num_refused, 300u);
}

Certificate ContradictionAt(const StorageGraph& graph, std::int64_t budget_bytes) {
  const std::vector<OpId> order = FileOrder(graph);
  std::vector<Segment> segments(1);
  segments[0].last = order.size();
  Certificate certificate = CertificateOf(StepGraph(graph), {order, {}}, segments, order);
  const Implied implied = ImpliedEdges(graph, budget_bytes);
  if (!implied.refuted) return certificate;
  memory::Bound& bound = certificate.segments[0].bound;
  bound.kind = memory::Bound::Kind::kContradiction;
  bound.bytes = certificate.bytes = budget_bytes + 1;
  bound.op = implied.op;
  for (std::size_t i = 0; i < implied.edges.size(); ++i) {
    bound.edges.push_back({implied.edges[i].first, implied.edges[i].second, implied.cuts[i]});
  }
  return certificate;
}

// The checker's cuts are its own: it accepts what the search finds, and nothing that is not so.
TEST(ImpliedEdgesOracleTest, TheCheckerAcceptsTrueContradictionsOnly) {
  std::size_t num_with_edges = 0;
  std::size_t num_refused = 0;
  for (std::uint64_t seed = 0; seed < 3000; ++seed) {
    const memory::Problem problem = RandomProblem(seed, {.min_ops = 2, .max_ops = 8});
    const std::int64_t optimum = BruteForcePeak(problem);
    memory::Plan plan = memory::testing::SimplePlan(problem);
    plan.certificate = ContradictionAt(StorageGraph(problem), optimum - 1);
    plan.lower_bound_bytes = plan.certificate.bytes;
    memory::Bound& bound = plan.certificate.segments[0].bound;
    if (bound.kind == memory::Bound::Kind::kNone) continue;
    const Status status = memory::Check(problem, plan);
    ASSERT_TRUE(status.ok()) << seed << ": " << status.error().ToString();
    num_with_edges += bound.edges.empty() ? 0 : 1;
    if (plan.peak_bytes == optimum) continue;
    ++plan.lower_bound_bytes;  // one byte more is never true
    ++plan.certificate.bytes;
    ++bound.bytes;
    ASSERT_FALSE(memory::Check(problem, plan).ok()) << seed;
    ++num_refused;
  }
  EXPECT_GT(num_with_edges, 100u);
  EXPECT_GT(num_refused, 100u);
}

TEST(ImpliedEdgesOracleTest, AllOrdersWithinTheBudgetRespectThem) {
  std::size_t num_edges = 0;
  std::size_t num_refuted = 0;
  for (std::uint64_t seed = 0; seed < 5000; ++seed) {
    const memory::Problem problem = RandomProblem(seed, {.min_ops = 2, .max_ops = 9});
    const std::int64_t optimum = BruteForcePeak(problem);
    const StorageGraph graph(problem);
    const Implied implied = ImpliedEdges(graph, optimum);
    ASSERT_FALSE(implied.refuted) << seed;
    num_edges += implied.edges.size();
    const Part narrowed(graph, {}, implied.order, implied.edges);
    if (narrowed.graph().num_ops() <= 10) {
      ASSERT_EQ(BruteForcePeak(narrowed.graph().problem()), optimum) << seed;
    }
    num_refuted += ImpliedEdges(graph, optimum - 1).refuted ? 1 : 0;
  }
  EXPECT_GT(num_edges, 1000u);
  EXPECT_GT(num_refuted, 1000u);
}

}  // namespace
}  // namespace opass::schedulers
