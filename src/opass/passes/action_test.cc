#include "opass/passes/action.h"

#include "opass/passes/testing/execute.h"

namespace opass::passes {
namespace {

using testing::Graph;
using testing::Model;
using testing::Weight;

// Two equal layers and one of another shape.
ir::Model Layers() {
  return Model(Graph("(float[1,2,6,6] x) => (float[1,2,a,b] y)",
                     Weight("w", {2, 2, 3, 3}) + ", " + Weight("v", {2, 2, 3, 3}) +
                         ", int64[8] pads = {0, 0, 1, 1, 0, 0, 1, 1}, "
                         "int64[8] wide = {0, 0, 2, 2, 0, 0, 2, 2}",
                     "[pad_a] p = Pad(x, pads)\n[conv_a] c = Conv(p, w)\n"
                     "[pad_b] q = Pad(c, pads)\n[conv_b] d = Conv(q, v)\n"
                     "[pad_c] r = Pad(d, wide)\n[conv_c] y = Conv(r, w)"));
}

std::vector<Action> ProposeFold(const ir::Model& model) {
  return Propose(model, Uses(model.graph), *FindPass("fold_pad_into_conv"));
}

TEST(Action, SitesThatLookAlikeAreOneMacroToo) {
  const std::vector<Action> actions = ProposeFold(Layers());
  std::vector<std::string> names;
  for (const Action& action : actions) names.push_back(action.name);
  EXPECT_EQ(names, (std::vector<std::string>{
                       "fold_pad_into_conv at 2 sites like pad_a", "fold_pad_into_conv at pad_a",
                       "fold_pad_into_conv at pad_b", "fold_pad_into_conv at pad_c"}));
}

TEST(Action, AppliesWhereItIsStillLegal) {
  ir::Model model = Layers();
  const std::vector<Action> actions = ProposeFold(model);
  EXPECT_EQ(*Apply(model, actions[1]), 1);
  const std::string once = testing::Text(model);
  EXPECT_EQ(*Apply(model, actions[1]), 0);
  EXPECT_EQ(testing::Text(model), once);
  EXPECT_EQ(*Apply(model, actions[0]), 1);  // the other one of the two
  EXPECT_EQ(*Apply(model, actions[3]), 1);
  EXPECT_TRUE(ProposeFold(model).empty());
  EXPECT_EQ(model.graph.order.size(), 3u);
}

TEST(Action, APassWithoutSitesIsOneAction) {
  ir::Model model =
      Model(Graph("(float[4] x) => (float[4] y)", "", "a = Identity(x)\ny = Relu(a)"));
  const auto actions = Propose(model, Uses(model.graph), *FindPass("eliminate_identity"));
  ASSERT_EQ(actions.size(), 1u);
  EXPECT_EQ(actions[0].name, "eliminate_identity");
  EXPECT_EQ(*Apply(model, actions[0]), 1);
  EXPECT_EQ(*Apply(model, actions[0]), 0);
}

// A pass that forgets to erase what it replaced, and one that answers with an error.
TEST(Action, ABrokenGraphNamesTheAction) {
  static constexpr Pass kBroken = {
      .name = "broken",
      .summary = "writes a value twice",
      .find = [](const ir::Model& m, const Uses&) -> std::vector<Site> {
        return {{m.graph.order[0], 0, {m.graph.order[0]}, "Pad"}};
      },
      .apply = [](ir::Model& m, const Uses&, const Site& site) -> Result<bool> {
        ir::Node copy = m.graph.node(site.anchor);
        copy.name = "copy";
        m.graph.AddNode(copy);
        return true;
      },
  };
  ir::Model model = Layers();
  const auto actions = Propose(model, Uses(model.graph), kBroken);
  ASSERT_EQ(actions.size(), 1u);
  const auto result = Apply(model, actions[0]);
  ASSERT_FALSE(result.ok());
  EXPECT_NE(result.error().where.find("after broken: Pad at pad_a"), std::string::npos)
      << result.error().ToString();
}

TEST(Action, SignaturesIgnoreNamesAndContents) {
  const ir::Model model = Layers();
  const auto sites = FindPass("fold_pad_into_conv")->find(model, Uses(model.graph));
  ASSERT_EQ(sites.size(), 3u);
  EXPECT_EQ(Signature(model.graph, sites[0]), Signature(model.graph, sites[1]));
  EXPECT_NE(Signature(model.graph, sites[0]), Signature(model.graph, sites[2]));
  Site other = sites[0];
  other.variant = 1;
  EXPECT_NE(Signature(model.graph, sites[0]), Signature(model.graph, other));
}

TEST(Uses, ReadersOutputsAndPositions) {
  const ir::Model model = Model(Graph("(float[4] x, bool c) => (float[4] y, float[4] z)", "",
                                      "a = Relu(x)\nb = Add(a, a)\n"
                                      "z = If(c) <then_branch = t () => (float[4] p) "
                                      "{ p = Neg(a) }, else_branch = e () => (float[4] q) "
                                      "{ q = Neg(x) }>\ny = Neg(b)"));
  const ir::Graph& graph = model.graph;
  const Uses uses(graph);
  const auto readers = graph.Readers();
  for (std::size_t i = 0; i < graph.num_values(); ++i) {
    const auto found = uses.Readers(ir::ValueId(i));
    EXPECT_TRUE(std::ranges::equal(found, readers[i])) << graph.value(ir::ValueId(i)).name;
    EXPECT_EQ(uses.IsOutput(ir::ValueId(i)), graph.IsOutput(ir::ValueId(i)));
  }
  EXPECT_EQ(uses.Readers(*graph.FindValue("a")).size(), 2u);  // the Add once, the If
  EXPECT_FALSE(uses.OnlyReader(*graph.FindValue("a")).valid());
  EXPECT_EQ(uses.OnlyReader(*graph.FindValue("b")), graph.order[3]);
  EXPECT_FALSE(uses.OnlyReader(*graph.FindValue("y")).valid());
  EXPECT_TRUE(uses.Readers(ir::ValueId()).empty());
  EXPECT_EQ(uses.Position(graph.order[2]), 2u);
  EXPECT_FALSE(uses.IsLive(ir::NodeId()));
}

}  // namespace
}  // namespace opass::passes
