#include "opass/memory/check_cut.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "opass/memory/testing/random_problem.h"
#include "opass/memory/testing/simple_plan.h"

namespace opass::memory::check {
namespace {

constexpr std::int64_t kHuge = std::int64_t{1} << 50;

Between All(const Problem& problem) {
  return {std::vector<bool>(problem.ops.size(), false),
          std::vector<bool>(problem.ops.size(), true)};
}

// The cheapest step over all sets of operators that are closed and let `op` run, one by one.
std::int64_t BruteForceStep(const Recount& recount, OpId op) {
  const Problem& problem = recount.state().problem;
  const std::size_t n = problem.ops.size();
  const auto inputs_done = [&](std::size_t id, const std::vector<bool>& done) {
    return std::all_of(problem.ops[id].inputs.begin(), problem.ops[id].inputs.end(),
                       [&](ValueId input) {
                         const OpId producer = problem.value(input).producer;
                         return !producer.valid() || done[producer.index()];
                       });
  };
  std::int64_t least = kHuge;
  for (std::size_t set = 0; set < (std::size_t{1} << n); ++set) {
    std::vector<bool> done(n);
    for (std::size_t i = 0; i < n; ++i) done[i] = (set >> i) % 2 == 1;
    bool closed = !done[op.index()] && inputs_done(op.index(), done);
    for (std::size_t i = 0; i < n; ++i) closed = closed && (!done[i] || inputs_done(i, done));
    if (closed) least = std::min(least, recount.StepCost(op, done));
  }
  return least;
}

TEST(CheapestStepTest, AgreesWithAllSetsOnRandomProblems) {
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    const Problem problem = testing::RandomProblem(seed, {.max_ops = 7});
    const Plan plan = testing::SimplePlan(problem);
    State state{problem, plan, {}, {}, {}, {}, {}};
    ASSERT_TRUE(CheckOrder(state).ok() && CheckBuffers(state).ok() && CheckAliases(state).ok());
    const Recount recount(state);
    for (std::size_t i = 0; i < problem.ops.size(); ++i) {
      const std::int64_t least = BruteForceStep(recount, OpId(i));
      std::uint64_t work = 0;
      ASSERT_EQ(CheapestStep(recount, All(problem), OpId(i), kHuge, work), std::optional(least))
          << "seed " << seed << ", op " << i;
      ASSERT_GE(CheapestStep(recount, All(problem), OpId(i), least, work), std::optional(least))
          << "seed " << seed << ", op " << i;
      ASSERT_LE(recount.Operator(OpId(i), All(problem).allowed), least)
          << "seed " << seed << ", op " << i;
    }
  }
}

}  // namespace
}  // namespace opass::memory::check
