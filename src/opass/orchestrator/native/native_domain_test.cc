#include "opass/orchestrator/native/native_domain.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "opass/orchestrator/native/power_mean.h"
#include "opass/orchestrator/native/testing/graphs.h"

namespace opass::orchestrator {
namespace {

using testing::MakeDomain;
using testing::Walk;

struct Known {
  const char* name;
  std::string text;
  std::vector<std::string> actions;  // how their names begin
  std::vector<std::int64_t> peaks_kib;
};

TEST(NativeDomain, WalksToTheKnownPeaksOfTheLookaheadGraphs) {
  const Known all[] = {
      {"l1",
       testing::ConcatConv(),
       {"sink_concat_below_elementwise everywhere", "split_conv_over_concat"},
       {4096, 4096, 1280}},
      {"l2", testing::Transposes(), {"push_transposes", "cancel_transposes"}, {1024, 1024, 512}},
      {"l5", testing::LongSkip(), {"recompute_cheap"}, {1792, 1600}},
      {"l6", testing::ReluPool(), {"sink_monotone_below_pool"}, {640, 640}},
      {"l7", testing::Reassociate(), {"reassociate_matmul"}, {324, 100}},
      {"l8", testing::TwoResizes(), {"merge_common_subexpressions"}, {2176, 2368}},
  };
  for (const Known& known : all) {
    SCOPED_TRACE(known.name);
    const auto domain = MakeDomain(known.text);
    std::vector<StateId> states = Walk(*domain, known.actions);
    ASSERT_EQ(states.size(), known.peaks_kib.size());
    for (std::size_t i = 0; i < states.size(); ++i) {
      const Result<Bound> bound = domain->LowerBound(states[i]);
      const Result<Cost> quick = domain->Evaluate(states[i], Effort::kQuick);
      const Result<Cost> full = domain->Evaluate(states[i], Effort::kFull);
      ASSERT_TRUE(bound.ok() && quick.ok() && full.ok());
      EXPECT_EQ(full->peak_bytes / 1024, known.peaks_kib[i]) << i;
      EXPECT_LE(bound->peak_bytes, full->peak_bytes);
      EXPECT_LE(full->peak_bytes, quick->peak_bytes);
      EXPECT_LE(full->norm_bytes, static_cast<double>(full->peak_bytes));
      EXPECT_EQ(bound->extra_macs, full->extra_macs);
    }
    EXPECT_TRUE(domain->failures().empty());
  }
}

TEST(NativeDomain, ReassociatingSavesMultiplications) {
  const auto domain = MakeDomain(testing::Reassociate());
  const std::vector<StateId> states = Walk(*domain, {"reassociate_matmul"});
  EXPECT_LT(domain->Evaluate(states.back(), Effort::kQuick)->extra_macs, 0);
  EXPECT_EQ(domain->start_macs(), 256 * 256 * 32 + 256 * 256 * 4);
}

TEST(NativeDomain, EqualGraphsAreOneState) {
  // One by the pass for all readers, one by the pass for late readers: the same graph.
  const auto domain = MakeDomain(testing::LongSkip());
  const StateId one = Walk(*domain, {"recompute_cheap"}).back();
  const StateId other = Walk(*domain, {"duplicate_cheap"}).back();
  EXPECT_EQ(one, other);
  EXPECT_EQ(domain->num_states(), 2);
  // And back, by the inverse.
  const StateId again = Walk(*domain, {"duplicate_cheap", "merge_common_subexpressions"}).back();
  EXPECT_EQ(again, kStart);
  ASSERT_EQ(domain->PathTo(one).size(), 1);
  EXPECT_EQ(domain->PathTo(one)[0].what.shown.pass, "recompute_cheap");
  EXPECT_TRUE(domain->PathTo(kStart).empty());
}

TEST(NativeDomain, ProposesTheSameAtEveryCallUnderUniqueNamesMacrosFirst) {
  const auto domain = MakeDomain(testing::HardSwishes(14));
  const auto actions = domain->Propose(kStart);
  ASSERT_TRUE(actions.ok());
  Walk(*domain, {"fuse_activations"});
  const auto again = domain->Propose(kStart);
  ASSERT_EQ(actions->size(), again->size());
  std::set<std::string> names;
  for (std::size_t i = 0; i < actions->size(); ++i) {
    EXPECT_EQ((*actions)[i].name, (*again)[i].name);
    EXPECT_EQ((*actions)[i].kind, (*again)[i].kind);
    EXPECT_TRUE(names.insert((*actions)[i].name).second) << (*actions)[i].name;
  }
  std::vector<std::int64_t> sites;
  for (const Action& action : *actions) {
    if (action.pass == "fuse_activations") sites.push_back(action.num_sites);
  }
  // Everywhere, two alike, one by one.
  EXPECT_EQ(sites, (std::vector<std::int64_t>{3, 2, 1, 1, 1}));
  ActionOptions singles;
  singles.macros = false;
  for (const NativeAction& action : ProposeActions(**domain->ModelOf(kStart), {}, singles)) {
    EXPECT_EQ(action.shown.num_sites, 1) << action.shown.name;
  }
}

TEST(NativeDomain, RaisesTheOperatorSetForFusionsAsFarAsAllowed) {
  const auto domain = MakeDomain(testing::HardSwishes(13), 14);
  const std::vector<StateId> states =
      Walk(*domain, {"raise_opset to 14", "fuse_activations everywhere"});
  ASSERT_EQ(states.size(), 3);
  const auto before = domain->Evaluate(states[0], Effort::kFull);
  const auto raised = domain->Evaluate(states[1], Effort::kFull);
  const auto fused = domain->Evaluate(states[2], Effort::kFull);
  EXPECT_EQ(before->peak_bytes, raised->peak_bytes);
  EXPECT_LT(fused->peak_bytes, before->peak_bytes);
  EXPECT_EQ((*domain->ModelOf(states[2]))->opset(), 14);
  const auto kept_down = MakeDomain(testing::HardSwishes(13), 13);
  for (const Action& action : *kept_down->Propose(kStart)) EXPECT_NE(action.pass, kRaiseOpset);
}

TEST(NativeDomain, ScheduledListsTheNodesInTheOrderOfTheCost) {
  const auto domain = MakeDomain(testing::ConcatConv());
  const StateId state =
      Walk(*domain, {"sink_concat_below_elementwise everywhere", "split_conv_over_concat"}).back();
  const Result<ir::Model> model = domain->Scheduled(state);
  ASSERT_TRUE(model.ok());
  ASSERT_TRUE(ir::Verify(model->graph).ok());
  const auto problem = StateProblem::Make(*model, {});
  std::vector<memory::OpId> order;
  for (std::size_t i = 0; i < (*problem)->graph().num_ops(); ++i) order.emplace_back(i);
  EXPECT_EQ(memory::Evaluate((*problem)->graph(), order)->peak_bytes,
            domain->Evaluate(state, Effort::kFull)->peak_bytes);
}

TEST(PowerMean, IsBetweenTheMeanAndTheLargest) {
  const std::vector<std::int64_t> steps = {100, 100, 50};
  EXPECT_NEAR(PowerMean(steps, 3), 100 * std::pow(2.0 / 3, 1.0 / 24), 1e-5);
  EXPECT_EQ(PowerMean(steps, 1), 100);  // never above the peak
  EXPECT_EQ(PowerMean({}, 3), 0);
  EXPECT_EQ(PowerMean(std::vector<std::int64_t>{0}, 1), 0);
  // Of equal peaks the one with fewer high steps is lower; small steps more count nothing.
  const std::vector<std::int64_t> lower = {100, 90, 50, 1, 1};
  EXPECT_LT(PowerMean(lower, 5), PowerMean(steps, 5));
}

}  // namespace
}  // namespace opass::orchestrator
