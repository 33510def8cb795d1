#include "opass/bounds/lower_bound.h"

#include <gtest/gtest.h>

#include "opass/bounds/simple_bounds.h"
#include "opass/memory/testing/brute_force.h"
#include "opass/memory/testing/problem_builder.h"
#include "opass/memory/testing/random_problem.h"

namespace opass::bounds {
namespace {

using memory::Certificate;
using memory::OpId;
using memory::Problem;
using memory::StorageGraph;
using memory::ValueId;
using memory::testing::ProblemBuilder;

using Kind = Certificate::Kind;

TEST(SimpleBoundsTest, ResidentInputsAndOutputs) {
  // Before: x 10 + y 20 (nobody reads z). After: both outputs, 5 + 7, and the preserved y.
  ProblemBuilder b;
  const ValueId x = b.Input(10);
  const ValueId y = b.Input(20);
  b.Input(1000);
  const ValueId out = b.Op({x, y}, 5);
  b.Output(out).Output(b.Op({out}, 7)).Preserve(y);
  Problem problem = b.Build();
  EXPECT_EQ(ResidentBound(StorageGraph(problem)).bytes, 5 + 7 + 20);
  EXPECT_EQ(ResidentBound(StorageGraph(problem)).kind, Kind::kResident);
  problem.values[1].size_bytes = 40;
  EXPECT_EQ(ResidentBound(StorageGraph(problem)).bytes, 5 + 7 + 40);
  problem.values[1].is_preserved = false;
  EXPECT_EQ(ResidentBound(StorageGraph(problem)).bytes, 10 + 40);
  problem.inputs = memory::InputArrival::kFirstUse;
  EXPECT_EQ(ResidentBound(StorageGraph(problem)).bytes, 5 + 7);
}

TEST(SimpleBoundsTest, LargestOperatorLessItsTakeover) {
  // op 0: 10 + 30 + workspace 4 = 44. op 1: 30 + 20 - 20 = 30: its output lands on its input.
  ProblemBuilder b;
  const ValueId a = b.Op({b.Input(10)}, 30);
  b.Workspace(a, 4).Output(b.InPlace({a}, 20));
  const Problem problem = b.Build();
  const Certificate certificate = LargestOperatorBound(StorageGraph(problem));
  EXPECT_EQ(certificate.kind, Kind::kOperator);
  EXPECT_EQ(certificate.bytes, 44);
  EXPECT_EQ(certificate.op, OpId(0));
}

TEST(SimpleBoundsTest, NoOperatorsNoBound) {
  const Problem problem = ProblemBuilder().Build();
  EXPECT_EQ(LargestOperatorBound(StorageGraph(problem)).kind, Kind::kNone);
  EXPECT_EQ(LowerBound(StorageGraph(problem)).bytes, 0);
}

// x 10 -> a 50 -> b 20 -> c 30; d reads a and c. The largest operator: d with 50 + 30 + 5 = 85. The
// cut at c: 50 + 20 + 30 = 100, which is also the peak of the only order.
Problem LongSkip() {
  ProblemBuilder b;
  const ValueId a = b.Op({b.Input(10)}, 50);
  const ValueId c = b.Op({b.Op({a}, 20)}, 30);
  b.Output(b.Op({a, c}, 5));
  return b.Build();
}

TEST(LowerBoundTest, CutBeatsTheLargestOperator) {
  const Problem problem = LongSkip();
  const Certificate certificate = LowerBound(StorageGraph(problem));
  EXPECT_EQ(certificate.kind, Kind::kOperatorCut);
  EXPECT_EQ(certificate.bytes, 100);
  EXPECT_EQ(certificate.op, OpId(2));
  EXPECT_EQ(certificate.executed, (std::vector<OpId>{OpId(0), OpId(1)}));
}

TEST(LowerBoundTest, StopsAtTheTargetAndWithoutWork) {
  const Problem problem = LongSkip();
  const StorageGraph graph(problem);
  EXPECT_EQ(LowerBound(graph, {.stop_at = 85}).kind, Kind::kOperator);
  EXPECT_EQ(LowerBound(graph, {.max_work = 3}).bytes, 85);
  EXPECT_EQ(LowerBound(graph, {.max_work = 0}).bytes, 85);
}

TEST(LowerBoundTest, AnOrderThatIsNoneIsNotUsed) {
  const Problem problem = LongSkip();
  const std::vector<OpId> wrong{OpId(3), OpId(0), OpId(1), OpId(2)};
  EXPECT_EQ(LowerBound(StorageGraph(problem), {.order = wrong}).bytes, 85);
}

TEST(LowerBoundTest, NeverAboveTheOptimum) {
  std::size_t met = 0;
  std::size_t by_cut = 0;
  for (std::uint64_t seed = 0; seed < 4000; ++seed) {
    const Problem problem = memory::testing::RandomProblem(seed, {.max_ops = 8});
    const StorageGraph graph(problem);
    const std::int64_t optimum = memory::testing::BruteForcePeak(problem);
    const Certificate certificate = LowerBound(graph);
    ASSERT_LE(certificate.bytes, optimum) << seed;
    ASSERT_LE(ResidentBound(graph).bytes, certificate.bytes) << seed;
    ASSERT_LE(LargestOperatorBound(graph).bytes, certificate.bytes) << seed;
    ASSERT_EQ(LowerBound(graph).executed, certificate.executed) << seed;
    met += certificate.bytes == optimum ? 1 : 0;
    by_cut += certificate.kind == Kind::kOperatorCut ? 1 : 0;
  }
  EXPECT_GT(met, 3000u);  // a bound that proves nothing would pass as well
  EXPECT_GT(by_cut, 500u);
}

}  // namespace
}  // namespace opass::bounds
