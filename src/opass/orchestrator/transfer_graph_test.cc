#include "opass/orchestrator/transfer_graph.h"

#include <gtest/gtest.h>

#include "opass/orchestrator/effects.h"

namespace opass::orchestrator {
namespace {

constexpr StateId kA{0};
constexpr StateId kB{1};
constexpr StateId kC{2};

Action Of(std::uint64_t kind, const std::string& pass) { return {pass, pass, kind, 0}; }

TEST(TransferGraphTest, ListsTellWhatAppearsAndVanishes) {
  TransferGraph graph;
  graph.AddState(kA, std::vector{Of(7, "open"), Of(8, "split")});
  graph.AddState(kB, std::vector{Of(8, "split"), Of(9, "cut")});
  graph.AddTrial(kA, 0, kB);
  const KindId open = graph.Choices(kA)[0].kind;
  const KindId split = graph.Choices(kA)[1].kind;
  const KindId cut = graph.Choices(kB)[1].kind;
  EXPECT_EQ(graph.Appeared(kA, kB), std::vector{cut});
  EXPECT_EQ(graph.After(open).at(cut).appeared, 1);
  EXPECT_EQ(graph.After(open).at(open).vanished, 1);
  EXPECT_FALSE(graph.After(open).contains(split));
  EXPECT_TRUE(graph.Choices(kA)[0].tried);
  EXPECT_FALSE(graph.Choices(kA)[1].tried);
}

TEST(TransferGraphTest, WhatIsListedLaterIsComparedLater) {
  TransferGraph graph;
  graph.AddState(kA, std::vector{Of(7, "open")});
  graph.AddTrial(kA, 0, kB);
  const KindId open = graph.Choices(kA)[0].kind;
  EXPECT_FALSE(graph.Has(kB));
  EXPECT_TRUE(graph.After(open).empty());
  graph.AddState(kB, std::vector{Of(9, "cut")});
  EXPECT_EQ(graph.After(open).at(graph.Choices(kB)[0].kind).appeared, 1);
}

// Black boxes: every state lists all.
class BlackBoxTest : public ::testing::Test {
 protected:
  BlackBoxTest() {
    const std::vector<Action> all = {Of(1, "x"), Of(2, "y"), Of(3, "z")};
    for (const StateId state : {kA, kB, kC}) graph_.AddState(state, all);
    x_ = graph_.Choices(kA)[0].kind;
    y_ = graph_.Choices(kA)[1].kind;
    z_ = graph_.Choices(kA)[2].kind;
  }
  double Chance(StateId state, KindId kind) const { return graph_.Find(state, kind)->chance; }

  TransferGraph graph_;
  KindId x_, y_, z_;
};

TEST_F(BlackBoxTest, NoChangeIsPassedOnToSuccessors) {
  graph_.AddTrial(kA, 0, kB);
  graph_.AddTrial(kB, 2, kC);
  EXPECT_EQ(Chance(kC, y_), 1);
  graph_.AddTrial(kA, 1, StateId());  // y changes nothing at A
  EXPECT_LT(Chance(kB, y_), 0.2);
  EXPECT_LT(Chance(kC, y_), 0.4);
  EXPECT_GT(Chance(kC, y_), Chance(kB, y_));  // something may have enabled it
}

TEST_F(BlackBoxTest, ATrialIsPassedBackToPredecessors) {
  graph_.AddTrial(kA, 0, kB);
  graph_.AddTrial(kB, 2, StateId());  // now nothing is sure to work
  const double before = Chance(kA, y_);
  graph_.AddTrial(kB, 1, StateId());  // y changes nothing at B, hence not at A either
  EXPECT_LT(Chance(kA, y_), before);
  EXPECT_LT(Chance(kA, y_), 0.2);
}

TEST_F(BlackBoxTest, TrialsTellWhatEnablesAndDestroys) {
  graph_.AddTrial(kA, 1, StateId());
  graph_.AddTrial(kA, 0, kB);
  graph_.AddTrial(kB, 1, kC);  // x enabled y
  EXPECT_EQ(graph_.After(x_).at(y_).enabled, 1);
  graph_.AddTrial(kB, 2, kA);
  graph_.AddTrial(kA, 2, StateId());
  graph_.AddTrial(kC, 2, StateId());  // y destroyed z
  EXPECT_EQ(graph_.After(y_).at(z_).destroyed, 1);
  EXPECT_EQ(graph_.After(x_).at(z_).enabled, 1);
}

TEST_F(BlackBoxTest, CyclesEnd) {
  graph_.AddTrial(kA, 0, kB);
  graph_.AddTrial(kB, 0, kC);
  graph_.AddTrial(kC, 0, kA);
  graph_.AddTrial(kC, 1, StateId());
  graph_.AddTrial(kA, 1, kB);
  EXPECT_EQ(graph_.NumTried(x_), 3);
  EXPECT_EQ(graph_.NumWorked(y_), 1);
}

TEST(EffectsTest, WorthComesBackToWhatEnabledIt) {
  TransferGraph graph;
  graph.AddState(kA, std::vector{Of(7, "open"), Of(8, "split")});
  graph.AddState(kB, std::vector{Of(9, "cut")});
  graph.AddState(kC, std::vector<Action>{});
  graph.AddTrial(kA, 0, kB);  // open: makes cut possible and split impossible
  graph.AddTrial(kB, 0, kC);
  const KindId open = graph.Choices(kA)[0].kind;
  const KindId split = graph.Choices(kA)[1].kind;
  const KindId cut = graph.Choices(kB)[0].kind;
  Effects effects(graph, /*implicit=*/true);
  effects.AddDirect(open, 0);
  effects.AddDirect(cut, 0.5);
  effects.Refresh();
  EXPECT_EQ(effects.Direct(open), 0);
  EXPECT_NEAR(effects.Direct(cut), 0.375, 1e-9);  // drawn towards its pass: (0.5 + 0.25) / 2
  EXPECT_GT(effects.Implicit(open), 0.2);
  EXPECT_GT(effects.Worth(open), 0.2);
  const double before = effects.Worth(open);
  effects.AddDirect(split, 0.4);  // now it is known what open destroys
  effects.Refresh();
  EXPECT_LT(effects.Worth(open), before);

  Effects none(graph, /*implicit=*/false);
  none.AddDirect(cut, 0.5);
  none.Refresh();
  EXPECT_EQ(none.Worth(open), 0);
}

TEST(EffectsTest, ActionsOfOnePassDoNotDestroyEachOther) {
  TransferGraph graph;
  graph.AddState(kA, std::vector{Of(7, "fuse"), Of(8, "fuse")});
  graph.AddState(kB, std::vector<Action>{});
  graph.AddTrial(kA, 0, kB);
  Effects effects(graph, true);
  effects.AddDirect(graph.Choices(kA)[1].kind, 0.5);
  effects.Refresh();
  EXPECT_EQ(effects.Implicit(graph.Choices(kA)[0].kind), 0);
}

TEST(EffectsTest, CyclesDoNotGrowWithoutEnd) {
  TransferGraph graph;
  graph.AddState(kA, std::vector{Of(7, "up")});
  graph.AddState(kB, std::vector{Of(8, "down")});
  graph.AddTrial(kA, 0, kB);
  graph.AddTrial(kB, 0, kA);
  Effects effects(graph, true);
  effects.AddDirect(graph.Choices(kA)[0].kind, 1);
  effects.AddDirect(graph.Choices(kB)[0].kind, 1);
  for (int i = 0; i < 100; ++i) effects.Refresh();
  EXPECT_LE(effects.Worth(graph.Choices(kA)[0].kind), 2);
}

}  // namespace
}  // namespace opass::orchestrator
