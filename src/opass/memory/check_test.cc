#include "opass/memory/check.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "opass/memory/testing/problem_builder.h"
#include "opass/memory/testing/random_problem.h"
#include "opass/memory/testing/simple_plan.h"

namespace opass::memory {
namespace {

using testing::ProblemBuilder;
using testing::SimplePlan;

std::string Verdict(const Problem& problem, const Plan& plan) {
  const Status status = Check(problem, plan);
  if (status.ok()) return "ok";
  EXPECT_EQ(status.error().code, ErrorCode::kRefused);
  return status.error().ToString();
}

// x -> a; part = view of a; b in place of part; c = op(b, x) with workspace, is the output.
struct Example {
  Example() {
    ProblemBuilder builder(4);
    x = builder.Input(8);
    a = builder.Op({x}, 16);
    part = builder.View(a, 4, 12);
    b = builder.InPlace({part}, 8);
    c = builder.Op({b, x}, 20);
    builder.Output(c).Workspace(c, 4);
    problem = builder.Build();
    plan = SimplePlan(problem);
  }

  Buffer& buffer(ValueId value) {
    return *std::find_if(plan.buffers.begin(), plan.buffers.end(),
                         [&](const Buffer& buffer) { return buffer.value == value; });
  }
  std::string Verdict() const { return memory::Verdict(problem, plan); }

  Problem problem;
  Plan plan;
  ValueId x, a, part, b, c;
};

TEST(CheckTest, AcceptsAGoodPlan) {
  Example example;
  EXPECT_EQ(example.Verdict(), "ok");
  EXPECT_EQ(example.buffer(example.part).alias_kind, AliasKind::kView);
  EXPECT_EQ(example.buffer(example.b).alias_kind, AliasKind::kInPlace);
  EXPECT_EQ(example.plan.peak_bytes, 40);
}

TEST(CheckTest, AcceptsSimplePlansOfRandomProblems) {
  for (std::uint64_t seed = 0; seed < 3000; ++seed) {
    const Problem problem = testing::RandomProblem(seed, {.max_ops = 20});
    ASSERT_EQ(Verdict(problem, SimplePlan(problem)), "ok") << "seed " << seed;
  }
}

TEST(CheckTest, RefusesAnInvalidProblem) {
  Example example;
  example.problem.alignment = 0;
  EXPECT_FALSE(Check(example.problem, example.plan).ok());
}

TEST(CheckTest, RefusesWrongOrders) {
  Example example;
  std::swap(example.plan.order[0], example.plan.order[1]);
  EXPECT_EQ(example.Verdict(), "op1: it runs before 'op0', which makes its input 'v1'");
  example.plan.order[1] = example.plan.order[0] = OpId(0);
  EXPECT_EQ(example.Verdict(), "op0: the order has this operator twice");
  example.plan.order[1] = OpId(9);
  EXPECT_EQ(example.Verdict(), "the order names an unknown operator");
  example.plan.order.pop_back();
  EXPECT_EQ(example.Verdict(), "the order has 3 operators, the problem 4");
}

// One change to a good plan, and the words of the refusal.
struct Mutation {
  const char* name;
  void (*apply)(Example&);
  const char* verdict;
};

void PrintTo(const Mutation& mutation, std::ostream* out) { *out << mutation.name; }

class CheckMutationTest : public ::testing::TestWithParam<Mutation> {};

TEST_P(CheckMutationTest, IsRefused) {
  Example example;
  GetParam().apply(example);
  EXPECT_EQ(example.Verdict(), GetParam().verdict);
}

constexpr Mutation kBufferMutations[] = {
    {"Alignment", [](Example& e) { e.plan.alignment = 8; },
     "the plan is aligned to 8, the problem to 4"},
    {"Inputs", [](Example& e) { e.plan.inputs = InputArrival::kFirstUse; },
     "the plan and the problem do not agree on when inputs arrive"},
    {"PreservedInputs", [](Example& e) { e.plan.preserve_inputs = true; },
     "v0: the plan preserves inputs, the problem does not"},
    {"ExcludedIo", [](Example& e) { e.plan.exclude_io = true; },
     "v0: the plan leaves inputs and outputs out, the problem does not"},
    {"NegativeArena", [](Example& e) { e.plan.arena_bytes = INT64_MIN; },
     "arena_bytes is negative"},
    {"EarlyDeath", [](Example& e) { --e.buffer(e.x).last; },
     "v0: its lifetime is [0, 4), not [0, 3)"},
    {"LateBirth", [](Example& e) { ++e.buffer(e.a).first; },
     "v1: its lifetime is [0, 2), not [1, 2)"},
    {"Size", [](Example& e) { e.buffer(e.c).size_bytes -= 4; }, "v4: its size is 20, not 16"},
    {"OffAlignment", [](Example& e) { e.buffer(e.c).offset_bytes += 2; },
     "v4: its offset 26 is off the alignment of 4"},
    {"NegativeOffset", [](Example& e) { e.buffer(e.x).offset_bytes = -4; },
     "v0: its offset -4 is off the alignment of 4"},
    {"OutsideArena", [](Example& e) { e.buffer(e.c).offset_bytes = INT64_MAX - 3; },
     "v4: it leaves the arena of 48 bytes"},
    {"NoBuffer", [](Example& e) { e.plan.buffers.erase(e.plan.buffers.begin()); },
     "v0: it has no buffer"},
    {"TwoBuffers", [](Example& e) { e.plan.buffers.push_back(e.plan.buffers.front()); },
     "v0: it has two buffers"},
    {"NoWorkspace", [](Example& e) { e.plan.buffers.pop_back(); },
     "op3#workspace: it has no buffer"},
    {"TwoWorkspaces", [](Example& e) { e.plan.buffers.push_back(e.plan.buffers.back()); },
     "op3#workspace: it has two buffers"},
    {"NeedlessWorkspace", [](Example& e) { e.plan.buffers.back().workspace_of = OpId(0); },
     "op0#workspace: the operator needs no workspace"},
    {"WorkspaceAlias", [](Example& e) { e.plan.buffers.back().alias_kind = AliasKind::kInPlace; },
     "op3#workspace: a workspace shares with nobody"},
    {"UnknownValue", [](Example& e) { e.buffer(e.c).value = ValueId(77); },
     "a buffer belongs to no value"},
    {"UnknownOperator", [](Example& e) { e.plan.buffers.back().workspace_of = OpId(77); },
     "a buffer belongs to no value and no operator"},
    {"Outside", [](Example& e) { e.problem.value(e.c).in_arena = false; },
     "v4: it has a buffer but is outside the arena"},
    {"Unplanned", [](Example& e) { e.plan.unplanned_values = {"v4"}; },
     "v4: it is planned and listed as unplanned"},
    {"OverlapOfWorkspace", [](Example& e) { e.plan.buffers.back().offset_bytes = 12; },
     "op3#workspace: its bytes [12, 16) overlap [12, 20) of 'v3' in step 3"},
    {"Overlap", [](Example& e) { e.buffer(e.c).offset_bytes = 4; },
     "v4: its bytes [4, 24) overlap [0, 8) of 'v0' in step 3"},
};
INSTANTIATE_TEST_SUITE_P(Buffers, CheckMutationTest, ::testing::ValuesIn(kBufferMutations),
                         [](const auto& param) { return param.param.name; });

constexpr Mutation kAliasMutations[] = {
    {"ViewOffset", [](Example& e) { e.buffer(e.part).offset_bytes += 4; },
     "v2: as a view its offset is 12, not 16"},
    {"ViewOfAnother", [](Example& e) { e.buffer(e.part).alias_of = e.x; },
     "v2: the problem has no such view"},
    {"ViewUndeclared",
     [](Example& e) {
       e.buffer(e.part).alias_kind = AliasKind::kNone;
       e.buffer(e.part).alias_of = ValueId();
     },
     "v2: it must be a view, and is none"},
    {"ViewsNotUsed", [](Example& e) { e.plan.sharing.view = false; },
     "v2: the problem has no such view"},
    {"SourceWithoutKind", [](Example& e) { e.buffer(e.c).alias_of = e.b; },
     "v4: alias_of without an alias_kind"},
    {"ConcatSlice", [](Example& e) { e.buffer(e.part).alias_kind = AliasKind::kConcatSlice; },
     "v2: the problem has no such concat slice"},
    {"AliasOfNothing", [](Example& e) { e.buffer(e.b).alias_of = ValueId(99); },
     "v3: it is an alias of nothing"},
    {"InputAlias",
     [](Example& e) {
       e.buffer(e.x).alias_of = e.a;
       e.buffer(e.x).alias_kind = AliasKind::kInPlace;
     },
     "v0: an input is an alias of nobody"},
    {"InPlaceNotAllowed",
     [](Example& e) {
       e.buffer(e.c).alias_of = e.b;
       e.buffer(e.c).alias_kind = AliasKind::kInPlace;
     },
     "v4: the problem does not allow this in-place"},
    {"InPlaceNotUsed", [](Example& e) { e.plan.sharing.in_place = false; },
     "v3: the problem does not allow this in-place"},
    {"InPlaceElsewhere", [](Example& e) { e.buffer(e.b).offset_bytes += 4; },
     "v3: in place its offset is 12, not 16"},
    {"InPlaceUndeclared",
     [](Example& e) {
       e.buffer(e.b).alias_kind = AliasKind::kNone;
       e.buffer(e.b).alias_of = ValueId();
     },
     "v3: its bytes [12, 20) overlap [8, 24) of 'v1' in step 2"},
};
INSTANTIATE_TEST_SUITE_P(Aliases, CheckMutationTest, ::testing::ValuesIn(kAliasMutations),
                         [](const auto& param) { return param.param.name; });

constexpr Mutation kFigureMutations[] = {
    {"Arena", [](Example& e) { e.plan.arena_bytes += 4; },
     "arena_bytes is 52, the buffers end at 48"},
    {"Peak", [](Example& e) { e.plan.peak_bytes -= 4; }, "peak_bytes is 36, the steps need 40"},
    {"Sum", [](Example& e) { ++e.plan.sum_bytes; }, "sum_bytes is 65, the values add up to 64"},
    {"SumWithWeights", [](Example& e) { e.plan.weights_bytes = 9; },
     "sum_with_weights_bytes is not the sum of sum_bytes and weights_bytes"},
    {"NegativeWeights", [](Example& e) { e.plan.weights_bytes = -1; },
     "a size in bytes is negative"},
    {"BoundWithoutCertificate",
     [](Example& e) { e.plan.lower_bound_bytes = e.plan.certificate.bytes = 4; },
     "the plan has a lower bound but no certificate"},
    {"BoundOfAnother", [](Example& e) { e.plan.lower_bound_bytes = 4; },
     "lower_bound_bytes is 4, its certificate is for 0"},
    {"BoundAbovePeak", [](Example& e) { e.plan.lower_bound_bytes = e.plan.certificate.bytes = 44; },
     "lower_bound_bytes is 44, yet the peak is 40"},
    {"ProvenWithoutBound", [](Example& e) { e.plan.proven_optimal = true; },
     "it claims to be proven optimal, but its peak is not its lower bound"},
};
INSTANTIATE_TEST_SUITE_P(Figures, CheckMutationTest, ::testing::ValuesIn(kFigureMutations),
                         [](const auto& param) { return param.param.name; });

TEST(CheckTest, SourceOfInPlaceMustDie) {
  ProblemBuilder builder;
  const ValueId a = builder.Op({builder.Input(1)}, 8);
  const ValueId view = builder.View(a, 0, 8);
  const ValueId b = builder.InPlace({a}, 8);
  builder.Output(builder.Op({b}, 1));
  Problem problem = builder.Build();
  const Plan plan = SimplePlan(problem);
  ASSERT_EQ(Verdict(problem, plan), "ok");
  // The same plan where more is read or kept: lifetimes are mended so that only the alias is wrong.
  const auto mended = [&](ValueId changed, std::int64_t last) {
    Plan other = plan;
    for (Buffer& buffer : other.buffers) {
      if (buffer.value == changed) buffer.last = last;
    }
    return Verdict(problem, other);
  };
  problem.ops.back().inputs = {b, view};
  EXPECT_EQ(mended(view, 4), "v3: it overwrites 'v1', and 'v2' is read later");
  problem.ops.back().inputs = {b};
  problem.value(view).is_output = true;
  EXPECT_EQ(mended(view, 4), "v3: it overwrites 'v1', an output or a preserved input");
}

TEST(CheckTest, InPlaceMustNotHitAViewMadeByTheSameOperator) {
  ProblemBuilder builder;
  const ValueId a = builder.Op({builder.Input(1)}, 8);
  const std::vector<ValueId> outputs = builder.Ops({a}, {8, 8});
  builder.Candidate(outputs[1], a).Output(outputs[1]);
  Problem problem = builder.Build();
  Plan plan = SimplePlan(problem);
  ASSERT_EQ(plan.buffers[3].alias_kind, AliasKind::kInPlace);
  problem.value(outputs[0]).view = View{a, 0};
  plan.buffers[2].alias_kind = AliasKind::kView;
  plan.buffers[2].alias_of = a;
  plan.buffers[2].offset_bytes = plan.buffers[1].offset_bytes;
  EXPECT_EQ(Verdict(problem, plan),
            "v3: it overwrites 'v1', of which the operator makes the view 'v2'");
}

TEST(CheckTest, OnlyOneOutputTakesOverAnInput) {
  ProblemBuilder builder;
  const ValueId a = builder.Op({builder.Input(1)}, 8);
  const std::vector<ValueId> outputs = builder.Ops({a}, {8, 8});
  builder.Candidate(outputs[0], a).Candidate(outputs[1], a);
  builder.Output(outputs[0]).Output(outputs[1]);
  const Problem problem = builder.Build();
  Plan plan = SimplePlan(problem);
  ASSERT_EQ(plan.buffers[2].alias_of, a);
  plan.buffers[3].alias_of = a;
  plan.buffers[3].alias_kind = AliasKind::kInPlace;
  plan.buffers[3].offset_bytes = plan.buffers[2].offset_bytes;
  EXPECT_EQ(Verdict(problem, plan), "v3: it overwrites the same bytes as 'v2'");
}

TEST(CheckTest, AnInputNobodyReadsNeedsNoBytes) {
  ProblemBuilder builder;
  const ValueId unread = builder.Input(100);
  builder.Output(builder.Op({builder.Input(1)}, 1));
  const Problem problem = builder.Build();
  Plan plan = SimplePlan(problem);
  EXPECT_EQ(plan.arena_bytes, 2);
  EXPECT_EQ(Verdict(problem, plan), "ok");
  plan.buffers[unread.index()].size_bytes = 100;
  plan.arena_bytes = 100;
  EXPECT_EQ(Verdict(problem, plan), "v0: its size is 0, not 100");
}

class CertificateTest : public ::testing::Test {
 protected:
  // Two operators read x (10 bytes) and make 4 and 30; a third reads both.
  CertificateTest() {
    ProblemBuilder builder;
    const ValueId x = builder.Input(10);
    const ValueId a = builder.Op({x}, 4);
    const ValueId b = builder.Op({x}, 30);
    builder.Output(builder.Op({a, b}, 1));
    problem_ = builder.Build();
    plan_ = SimplePlan(problem_);
  }

  std::string Claim(Certificate certificate) {
    plan_.certificate = certificate;
    plan_.lower_bound_bytes = certificate.bytes;
    return Verdict(problem_, plan_);
  }

  Problem problem_;
  Plan plan_;
};

using Kind = Bound::Kind;

constexpr const char* kUnknownOp =
    "the certificate names an unknown operator, or one that is not in its segment";
constexpr const char* kStrangeCut =
    "the certificate's cut names an operator twice or one that is not in the part";

TEST_F(CertificateTest, Resident) {
  EXPECT_EQ(Claim({Kind::kResident, 10, OpId(), {}}), "ok");
  EXPECT_EQ(Claim({Kind::kResident, 11, OpId(), {}}),
            "the certificate claims 11 bytes, it proves 10");
}

TEST_F(CertificateTest, Operator) {
  EXPECT_EQ(Claim({Kind::kOperator, 40, OpId(1), {}}), "ok");
  EXPECT_EQ(Claim({Kind::kOperator, 41, OpId(1), {}}),
            "the certificate claims 41 bytes, it proves 40");
  EXPECT_EQ(Claim({Kind::kOperator, 40, OpId(), {}}), kUnknownOp);
  EXPECT_EQ(Claim({Kind::kOperator, 40, OpId(3), {}}), kUnknownOp);
}

TEST_F(CertificateTest, OperatorCut) {
  EXPECT_EQ(Claim({Kind::kOperatorCut, 40, OpId(1), {}}), "ok");
  EXPECT_EQ(Claim({Kind::kOperatorCut, 44, OpId(1), {OpId(0), OpId(0)}}), kStrangeCut);
  EXPECT_EQ(Claim({Kind::kOperatorCut, 44, OpId(1), {OpId(8)}}), kStrangeCut);
  EXPECT_EQ(Claim({Kind::kOperatorCut, 40, OpId(2), {OpId(0)}}),
            "op2: the operator cannot run in the certificate's cut");
  EXPECT_EQ(Claim({Kind::kOperatorCut, 40, OpId(1), {OpId(1)}}),
            "op1: the operator cannot run in the certificate's cut");
  EXPECT_EQ(Claim({Kind::kOperatorCut, 40, OpId(0), {OpId(2)}}),
            "op2: the certificate's cut has it without its inputs");
  EXPECT_EQ(Claim({Kind::kOperatorCut, 41, OpId(1), {}}),
            "the certificate claims 41 bytes, its own cut needs 40");
  EXPECT_EQ(Claim({Kind::kOperatorCut, 44, OpId(1), {OpId(0)}}),
            "the certificate claims 44 bytes, over all cuts 40 can be proved");
}

// The states {}, {op0} and {op1} need 10, 14 and 40 bytes, {op0, op1} 34; the steps 14, 44 and 35.
class SegmentsTest : public CertificateTest {
 protected:
  // Two segments: the first `at` operators and the others.
  SegmentsTest() { Split({2}, {{0, 2, 44, {}}, {2, 3, 35, {}}}); }

  void Split(std::vector<std::size_t> splits, std::vector<Certificate::Segment> segments) {
    made_ = Certificate();
    made_.kind = Kind::kSegments;
    made_.splits = std::move(splits);
    made_.segments = std::move(segments);
  }

  std::string Claim(std::size_t segment, Bound bound) {
    made_.bytes = bound.bytes;
    for (Certificate::Segment& other : made_.segments) other.bound = {};
    made_.segments[segment].bound = std::move(bound);
    return CertificateTest::Claim(made_);
  }

  Certificate made_;
};

TEST_F(SegmentsTest, BoundsOfPartsAreProved) {
  EXPECT_EQ(Claim(1, {Kind::kOperatorCut, 35, OpId(2), {}}), "ok");
  EXPECT_EQ(Claim(1, {Kind::kOperatorCut, 36, OpId(2), {}}),
            "the certificate claims 36 bytes, its own cut needs 35");
  EXPECT_EQ(Claim(1, {Kind::kOperatorCut, 35, OpId(2), {OpId(0)}}), kStrangeCut);
  EXPECT_EQ(Claim(1, {Kind::kOperator, 35, OpId(1), {}}), kUnknownOp);
  EXPECT_EQ(Claim(1, {Kind::kOperator, 35, OpId(2), {}}), "ok");
  EXPECT_EQ(Claim(1, {Kind::kOperator, 36, OpId(2), {}}),
            "the certificate claims 36 bytes, it proves 35");
  EXPECT_EQ(Claim(1, {Kind::kResident, 34, OpId(), {}}), "ok");
  EXPECT_EQ(Claim(0, {Kind::kResident, 34, OpId(), {}}), "ok");
  EXPECT_EQ(Claim(1, {Kind::kResident, 35, OpId(), {}}),
            "the certificate claims 35 bytes, it proves 34");
}

TEST_F(SegmentsTest, SplitsAreProved) {
  plan_ = SimplePlan(problem_, {OpId(1), OpId(0), OpId(2)});
  Split({1}, {{0, 1, 40, {}}, {1, 3, 44, {}}});
  EXPECT_EQ(Claim(1, {Kind::kOperator, 14, OpId(0), {}}),
            "op0: a split of the certificate has 40 bytes live, a state close to it 10");
}

TEST_F(SegmentsTest, TheyMustFitTogether) {
  const Bound bound{Kind::kOperator, 35, OpId(2), {}};
  const std::string between = "the certificate's segments are not those between its splits";
  const std::string inside = "the certificate's splits are not different steps inside the order";
  made_.segments[1].peak_bytes = 36;
  EXPECT_EQ(Claim(1, bound),
            "the certificate's segment [2, 3) has a peak of 36, its steps need 35");
  Split({}, {{0, 2, 44, {}}, {2, 3, 35, {}}});
  EXPECT_EQ(Claim(1, bound), between);
  Split({2}, {{0, 3, 44, {}}});
  EXPECT_EQ(Claim(0, bound), between);
  Split({2}, {{0, 2, 44, {}}, {2, 3, 35, {}}, {3, 3, 0, {}}});
  EXPECT_EQ(Claim(1, bound), between);
  Split({3}, {{0, 3, 44, {}}, {3, 3, 35, {}}});
  EXPECT_EQ(Claim(0, bound), inside);
  Split({0}, {{0, 0, 44, {}}, {0, 3, 44, {}}});
  EXPECT_EQ(Claim(1, bound), inside);
  Split({4}, {{0, 3, 44, {}}});
  EXPECT_EQ(Claim(0, bound), inside);
  Split({1}, {});
  EXPECT_EQ(CertificateTest::Claim(made_), "the certificate has splits but no segments");
  Split({}, {});
  EXPECT_EQ(CertificateTest::Claim(made_), "the certificate has no segments");
}

TEST_F(SegmentsTest, OrdersOfTheirOwn) {
  const Bound bound{Kind::kOperator, 35, OpId(2), {}};
  made_.order = {OpId(1), OpId(0), OpId(2)};
  EXPECT_EQ(Claim(1, bound), "ok");
  made_.order = {OpId(1), OpId(2), OpId(0)};
  EXPECT_EQ(Claim(1, bound), "op2: the certificate's order has it before its inputs");
  made_.order = {OpId(1), OpId(1), OpId(2)};
  EXPECT_EQ(Claim(1, bound), "the certificate's order names an operator twice or an unknown one");
  made_.order = {OpId(1), OpId(9), OpId(2)};
  EXPECT_EQ(Claim(1, bound), "the certificate's order names an operator twice or an unknown one");
  made_.order = {OpId(1)};
  EXPECT_EQ(Claim(1, bound), "the certificate's order has 1 operators, the problem 3");
}

TEST_F(SegmentsTest, TheLargestBoundCounts) {
  made_.segments[0].bound = {Kind::kSearch, 44, OpId(), {}};
  made_.segments[1].bound = {Kind::kOperator, 35, OpId(2), {}};
  made_.bytes = 35;
  EXPECT_EQ(CertificateTest::Claim(made_), "the certificate claims 35 bytes, its segments 44");
  made_.bytes = 44;
  EXPECT_EQ(CertificateTest::Claim(made_), "ok");
  EXPECT_EQ(Deciding(made_).segment, &made_.segments[0]);
  EXPECT_FALSE(IsCheckable(made_));
  made_.segments[1].bound.bytes = 44;  // of equal ones the one that can be checked
  EXPECT_EQ(Deciding(made_).segment, &made_.segments[1]);
  EXPECT_TRUE(IsCheckable(made_));
  EXPECT_EQ(CertificateTest::Claim(made_), "the certificate claims 44 bytes, it proves 35");
}

TEST_F(SegmentsTest, SearchesAreBelievedWhenTheyFit) {
  Bound search{Kind::kSearch, 44, OpId(), {}};  // not true; 40 is
  search.search.budget_bytes = 43;
  EXPECT_EQ(Claim(0, search), "ok");
  search.search.budget_bytes = 44;
  EXPECT_EQ(Claim(0, search), "the certificate's search does not show what it claims");
}

// Both orders need 44 bytes: within 43, op1 cannot follow op0, nor op0 op1.
TEST_F(SegmentsTest, EveryEdgeOfAContradictionIsProved) {
  Split({}, {{0, 3, 44, {}}});
  Bound bound{Kind::kContradiction, 44, OpId(), {}};
  const Bound::Edge first{OpId(1), OpId(0), OpId(1)};
  bound.edges = {first, {OpId(0), OpId(1), OpId(0)}};
  EXPECT_EQ(Claim(0, bound), "ok");
  EXPECT_TRUE(IsCheckable(made_));
  bound.edges = {first};
  EXPECT_EQ(Claim(0, bound), "the certificate's edges are no contradiction");
  bound.op = OpId(0);  // needs 44 when it follows op1
  EXPECT_EQ(Claim(0, bound), "ok");
  bound.op = OpId(1);
  EXPECT_EQ(Claim(0, bound), "op1: the certificate claims 44 bytes, its contradiction shows 40");
  bound.edges = {{OpId(0), OpId(1), OpId(1)}};  // op1 needs only 40 without op0
  EXPECT_EQ(Claim(0, bound), "op1: the certificate claims 44 bytes, its edge 0 shows 40");
  bound.edges = {{OpId(0), OpId(1), OpId(2)}};
  EXPECT_EQ(Claim(0, bound), "edge 0 of the certificate is not in its segment");
  bound.edges = {{OpId(0), OpId(9), OpId(0)}};
  EXPECT_EQ(Claim(0, bound), "edge 0 of the certificate is not in its segment");
  bound.edges = {first};
  bound.op = OpId(9);
  EXPECT_EQ(Claim(0, bound), "the certificate's operator is not in its segment");
}

}  // namespace
}  // namespace opass::memory
