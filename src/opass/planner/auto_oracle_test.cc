// Random problems through `auto`: what comes out is right, whoever looks at it.
#include <gtest/gtest.h>

#include "opass/memory/check.h"
#include "opass/memory/judge_certificate.h"
#include "opass/memory/plan_json.h"
#include "opass/memory/testing/brute_force.h"
#include "opass/memory/testing/num_cases.h"
#include "opass/memory/testing/random_problem.h"
#include "opass/planner/planner.h"

namespace opass::planner {
namespace {

using memory::JudgedClaim;
using memory::Plan;
using memory::Problem;
using memory::testing::NumCases;
using memory::testing::RandomProblem;
using Verdict = JudgedClaim::Verdict;

constexpr int kMaxOpsForBruteForce = 8;

struct Seen {
  int by_search = 0;
  int by_contradiction = 0;
  int with_splits = 0;
  int confirmed = 0;
  int too_large = 0;
};

void JudgeClaims(const Problem& problem, const Plan& plan, std::uint64_t seed, Seen& seen) {
  memory::JudgeOptions options;
  options.prove = true;
  options.max_states = 20'000;
  const auto claims = memory::JudgeCertificate(problem, plan, options);
  ASSERT_TRUE(claims.ok()) << seed << ": " << claims.error().ToString();
  for (const JudgedClaim& claim : *claims) {
    ASSERT_NE(claim.verdict, Verdict::kRefused) << seed << ": " << claim.message;
    seen.by_search += claim.kind == memory::Bound::Kind::kSearch ? 1 : 0;
    seen.by_contradiction += claim.kind == memory::Bound::Kind::kContradiction ? 1 : 0;
    seen.confirmed += claim.verdict == Verdict::kConfirmed ? 1 : 0;
    seen.too_large += claim.verdict == Verdict::kTooLarge ? 1 : 0;
  }
  seen.with_splits += plan.certificate.splits.empty() ? 0 : 1;
}

void Judge(std::uint64_t seed, Seen& seen) {
  const Problem problem = RandomProblem(seed, {.min_ops = 1, .max_ops = seed % 4 == 0 ? 60 : 14});
  PlanOptions options;
  options.sharing.view = seed % 5 != 0;
  options.sharing.in_place = seed % 7 != 0;
  const Result<PlanResult> result = MakePlan(problem, options);
  ASSERT_TRUE(result.ok()) << seed << ": " << result.error().ToString();  // the checker took it
  const Plan& plan = result->plan;
  ASSERT_LE(plan.lower_bound_bytes, plan.peak_bytes) << seed;
  ASSERT_LE(plan.peak_bytes, plan.arena_bytes) << seed;
  ASSERT_LE(plan.peak_bytes, result->file_order.peak_bytes) << seed;
  if (problem.ops.size() <= kMaxOpsForBruteForce && options.sharing.view &&
      options.sharing.in_place) {
    ASSERT_EQ(plan.peak_bytes, memory::testing::BruteForcePeak(problem)) << seed;
    ASSERT_EQ(plan.lower_bound_bytes, plan.peak_bytes) << seed;
  }
  JudgeClaims(problem, plan, seed, seen);
  const std::string text = memory::PlanToJson(problem, plan);
  const Result<Plan> read = memory::ParsePlan(problem, text, "plan");
  ASSERT_TRUE(read.ok()) << seed << ": " << read.error().ToString();
  ASSERT_EQ(memory::PlanToJson(problem, *read), text) << seed;
  const Status status = memory::Check(problem, *read);
  ASSERT_TRUE(status.ok()) << seed << ": " << status.error().ToString();
}

TEST(AutoOracleTest, PlansPassEveryCheckAndEveryClaimOfTheirCertificates) {
  const std::uint64_t cases = NumCases(2000, 100'000);
  Seen seen;
  for (std::uint64_t seed = 0; seed < cases && !::testing::Test::HasFatalFailure(); ++seed) {
    Judge(seed, seen);
  }
  EXPECT_GT(seen.by_search, 20);
  EXPECT_GT(seen.with_splits, 50);
  EXPECT_GT(seen.confirmed, 20);
  RecordProperty("by_search", seen.by_search);
  RecordProperty("by_contradiction", seen.by_contradiction);
  RecordProperty("confirmed", seen.confirmed);
  RecordProperty("too_large", seen.too_large);
}

}  // namespace
}  // namespace opass::planner
