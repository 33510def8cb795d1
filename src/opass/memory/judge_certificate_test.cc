#include "opass/memory/judge_certificate.h"

#include <gtest/gtest.h>

#include <random>

#include "opass/memory/check.h"
#include "opass/memory/plan_json.h"
#include "opass/memory/testing/problem_builder.h"
#include "opass/memory/testing/simple_plan.h"

namespace opass::memory {
namespace {

using testing::ProblemBuilder;
using testing::SimplePlan;
using Kind = Bound::Kind;
using About = JudgedClaim::About;
using Verdict = JudgedClaim::Verdict;

// op0 and op1 read x (10 bytes) and make 4 and 30; op2 reads both. The steps need 14, 44 and 35, or
// 40, 44 and 35; the split after two leaves 34.
class JudgeCertificateTest : public ::testing::Test {
 protected:
  JudgeCertificateTest() {
    ProblemBuilder builder;
    const ValueId x = builder.Input(10);
    const ValueId a = builder.Op({x}, 4);
    const ValueId b = builder.Op({x}, 30);
    builder.Output(builder.Op({a, b}, 1));
    problem_ = builder.Build();
    plan_ = SimplePlan(problem_);
    Certificate& made = plan_.certificate;
    made.kind = Kind::kSegments;
    made.splits = {2};
    made.segments = {{0, 2, 44, Search(44)}, {2, 3, 35, {Kind::kOperator, 35, OpId(2), {}}}};
    made.bytes = plan_.lower_bound_bytes = 44;
  }

  static Bound Search(std::int64_t bytes) {
    Bound bound{Kind::kSearch, bytes, OpId(), {}};
    bound.search.budget_bytes = bytes - 1;
    return bound;
  }

  std::vector<JudgedClaim> Judge(const JudgeOptions& options = {}) const {
    const auto claims = JudgeCertificate(problem_, plan_, options);
    EXPECT_TRUE(claims.ok()) << claims.error().ToString();
    return claims.ok() ? *claims : std::vector<JudgedClaim>();
  }

  std::vector<Verdict> Verdicts(const JudgeOptions& options = {}) const {
    std::vector<Verdict> verdicts;
    for (const JudgedClaim& claim : Judge(options)) verdicts.push_back(claim.verdict);
    return verdicts;
  }

  Problem problem_;
  Plan plan_;
};

TEST_F(JudgeCertificateTest, SaysOfEveryClaimHowFarItGoes) {
  ASSERT_TRUE(Check(problem_, plan_).ok());
  const std::vector<JudgedClaim> claims = Judge();
  ASSERT_EQ(claims.size(), 4u);
  EXPECT_EQ(claims[0].about, About::kWhole);
  EXPECT_EQ(claims[0].verdict, Verdict::kNothing);
  EXPECT_EQ(claims[1].about, About::kSplit);
  EXPECT_EQ(claims[1].split, 2u);
  EXPECT_EQ(claims[1].last, 3u);
  EXPECT_EQ(claims[1].verdict, Verdict::kChecked);
  EXPECT_GT(claims[1].work, 0u);
  EXPECT_EQ(claims[2].kind, Kind::kSearch);
  EXPECT_EQ(claims[2].verdict, Verdict::kTrusted);
  EXPECT_EQ(claims[3].bytes, 35);
  EXPECT_EQ(claims[3].verdict, Verdict::kChecked);
}

TEST_F(JudgeCertificateTest, SearchesAreRunAgain) {
  JudgeOptions prove;
  prove.prove = true;
  const std::vector<JudgedClaim> claims = Judge(prove);
  ASSERT_EQ(claims.size(), 5u);
  EXPECT_EQ(claims[2].verdict, Verdict::kConfirmed);
  EXPECT_EQ(claims[2].states, 2u);  // {op0} and {op1}; the other one is not to be had
  EXPECT_EQ(claims[4].about, About::kWhole);
  EXPECT_EQ(claims[4].verdict, Verdict::kConfirmed);
  prove.max_states = 1;
  EXPECT_EQ(Judge(prove)[2].verdict, Verdict::kTooLarge);
}

TEST_F(JudgeCertificateTest, ASearchThatMissedAnOrderIsRefused) {
  plan_ = SimplePlan(problem_);
  plan_.peak_bytes = 60;  // of a worse order, say
  plan_.certificate.kind = Kind::kSegments;
  plan_.certificate.bytes = plan_.lower_bound_bytes = 45;
  plan_.certificate.segments = {{0, 3, 44, Search(45)}};
  JudgeOptions prove;
  prove.prove = true;
  const std::vector<JudgedClaim> claims = Judge(prove);
  ASSERT_EQ(claims.size(), 2u);
  EXPECT_EQ(claims[1].verdict, Verdict::kRefused);
  EXPECT_EQ(claims[1].message, "there is an order that needs less");
}

TEST_F(JudgeCertificateTest, ClaimsThatDoNotDecideAreJudgedToo) {
  plan_.certificate.segments[1].bound.bytes = 36;
  ASSERT_TRUE(Check(problem_, plan_).ok());  // 44 is shown all the same
  EXPECT_EQ(Judge()[3].verdict, Verdict::kRefused);
  EXPECT_EQ(Judge()[3].message, "the certificate claims 36 bytes, it proves 35");
  plan_.certificate.segments[1].bound = Bound();
  EXPECT_EQ(Judge()[3].verdict, Verdict::kNothing);
}

TEST_F(JudgeCertificateTest, SplitsAndBoundsOfTheWholeAreJudged) {
  plan_ = SimplePlan(problem_, {OpId(1), OpId(0), OpId(2)});
  Certificate& made = plan_.certificate;
  static_cast<Bound&>(made) = {Kind::kOperator, 40, OpId(1), {}};
  made.splits = {1};
  made.segments = {{0, 1, 40, {}}, {1, 3, 44, {}}};
  EXPECT_EQ(Verdicts(), (std::vector<Verdict>{Verdict::kChecked, Verdict::kRefused,
                                              Verdict::kNothing, Verdict::kNothing}));
  JudgeOptions little;
  little.max_work = 0;
  EXPECT_EQ(Verdicts(little), (std::vector<Verdict>{Verdict::kChecked, Verdict::kTooLarge,
                                                    Verdict::kNothing, Verdict::kNothing}));
}

// Whatever a file says: an error, a refusal, or claims; no more than that.
TEST_F(JudgeCertificateTest, DamagedCertificatesDoNoHarm) {
  plan_.certificate.segments[1].bound = {Kind::kContradiction, 35, OpId(2), {}};
  plan_.certificate.segments[1].bound.edges = {{OpId(2), OpId(2), OpId(2)}};
  const std::string text = PlanToJson(problem_, plan_);
  const std::size_t begin = text.find("\"certificate\"");
  std::mt19937_64 random(7);
  int num_judged = 0;
  int num_refused = 0;
  for (int i = 0; i < 4000; ++i) {
    std::string damaged = text;
    for (std::uint64_t k = random() % 3 + 1; k > 0; --k) {
      const std::size_t at = begin + random() % (text.size() - begin);
      const bool digit = damaged[at] >= '0' && damaged[at] <= '9';
      if (digit) damaged[at] = static_cast<char>('0' + random() % 10);
      if (digit && random() % 8 == 0) damaged.insert(at, "99999999999999999");
      if (digit && random() % 8 == 0) damaged.insert(at, "-");
    }
    const Result<Plan> read = ParsePlan(problem_, damaged, "p");
    if (!read.ok()) continue;
    const bool accepted = Check(problem_, *read).ok();
    num_refused += accepted ? 0 : 1;
    if (!accepted) continue;
    JudgeOptions options;
    options.prove = true;
    ASSERT_TRUE(JudgeCertificate(problem_, *read, options).ok());
    ++num_judged;
  }
  EXPECT_GT(num_judged, 100);
  EXPECT_GT(num_refused, 100);
}

}  // namespace
}  // namespace opass::memory
