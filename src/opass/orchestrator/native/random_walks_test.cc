// Random graphs of every operator that the passes know, through random actions of the domain: what
// they compute stays what it was, costs are within their bounds, and states that were forgotten and
// made again are the same.
#include <gtest/gtest.h>

#include <random>

#include "opass/orchestrator/native/testing/graphs.h"
#include "opass/orchestrator/native/verify_path.h"
#include "opass/passes/testing/random_graph.h"

namespace opass::orchestrator {
namespace {

// The states on a random walk, the start among them.
std::vector<StateId> RandomWalk(NativeDomain& domain, std::uint64_t seed, int num_steps) {
  std::mt19937_64 random(seed);
  std::vector<StateId> states = {kStart};
  for (int step = 0; step < num_steps; ++step) {
    const auto actions = domain.Propose(states.back());
    EXPECT_TRUE(actions.ok());
    if (!actions.ok() || actions->empty()) break;
    const auto next = domain.Apply(states.back(), random() % actions->size());
    EXPECT_TRUE(next.ok());
    if (next.ok() && next->has_value()) states.push_back(**next);
  }
  return states;
}

void ExpectOrderedCosts(NativeDomain& domain, StateId state) {
  const auto bound = domain.LowerBound(state);
  const auto quick = domain.Evaluate(state, Effort::kQuick);
  const auto full = domain.Evaluate(state, Effort::kFull);
  ASSERT_TRUE(bound.ok() && quick.ok() && full.ok());
  EXPECT_LE(bound->peak_bytes, full->peak_bytes);
  EXPECT_LE(full->peak_bytes, quick->peak_bytes);
  EXPECT_LE(full->norm_bytes, static_cast<double>(full->peak_bytes));
  EXPECT_EQ(bound->extra_macs, quick->extra_macs);
}

TEST(RandomWalks, KeepWhatTheGraphComputes) {
  OPASS_SKIP_WITHOUT_ORT();
  const std::uint64_t num_graphs = passes::testing::NightlyOr(60, 2000);
  std::size_t num_actions = 0;
  for (std::uint64_t seed = 0; seed < num_graphs; ++seed) {
    SCOPED_TRACE(seed);
    const auto domain = testing::MakeDomain(passes::testing::RandomGraph(seed).Model());
    const std::vector<StateId> states = RandomWalk(*domain, seed, 6);
    for (const StateId state : states) ExpectOrderedCosts(*domain, state);
    EXPECT_TRUE(domain->failures().empty()) << domain->failures().front();
    const auto verdict = VerifyPath(*domain, domain->PathTo(states.back()), {});
    ASSERT_TRUE(verdict.ok()) << verdict.error().ToString();
    EXPECT_EQ(verdict->whole.verified, true) << verdict->whole.message;
    for (const ActionVerdict& action : verdict->removed) {
      ADD_FAILURE() << action.name << ": " << action.verdict.message;
    }
    num_actions += verdict->actions.size();
    if (::testing::Test::HasFailure()) return;
  }
  EXPECT_GT(num_actions, 3 * num_graphs);
}

TEST(RandomWalks, ForgottenStatesAreMadeAgainAsTheyWere) {
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    SCOPED_TRACE(seed);
    const std::string text = passes::testing::RandomGraph(seed).Model();
    NativeOptions forgetful;
    forgetful.max_kept_nodes = 1;
    const auto keeper = testing::MakeDomain(text);
    auto made = NativeDomain::Make(*(*keeper->ModelOf(kStart)), forgetful);
    ASSERT_TRUE(made.ok());
    NativeDomain& forgetter = **made;
    const std::vector<StateId> states = RandomWalk(*keeper, seed, 6);
    ASSERT_EQ(RandomWalk(forgetter, seed, 6), states);
    for (const StateId state : states) {
      const auto ours = keeper->ModelOf(state);
      const auto theirs = forgetter.ModelOf(state);
      ASSERT_TRUE(ours.ok() && theirs.ok());
      EXPECT_EQ(passes::testing::Text(**ours), passes::testing::Text(**theirs));
      EXPECT_EQ(*keeper->Evaluate(state, Effort::kQuick),
                *forgetter.Evaluate(state, Effort::kQuick));
    }
  }
}

}  // namespace
}  // namespace opass::orchestrator
