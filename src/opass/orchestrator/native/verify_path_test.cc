#include "opass/orchestrator/native/verify_path.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "opass/onnx/read.h"
#include "opass/orchestrator/native/changed_part.h"
#include "opass/orchestrator/native/testing/graphs.h"
#include "opass/passes/rewrite.h"

namespace opass::orchestrator {
namespace {

using passes::Site;
using passes::Uses;
using testing::Walk;

// Passes that are wrong on purpose.

std::vector<Site> FindRelus(const ir::Model& model, const Uses&) {
  std::vector<Site> sites;
  for (const ir::NodeId id : model.graph.order) {
    if (model.graph.node(id).Is("Relu")) sites.push_back({id, 0, {id}, ""});
  }
  return sites;
}

Result<bool> MakeAbs(ir::Model& model, const Uses&, const Site& site) {
  ir::Node& node = model.graph.node(site.anchor);
  if (model.graph.value(node.outputs[0]).name == "b") {
    node.op_type = "Abs";
  } else {
    node.op_type = "LeakyRelu";
    node.attributes = {{"alpha", 0.0f}};
  }
  return true;
}

// Wrong for the Relu that computes b alone.
const passes::Pass kWrongSomewhere = {.name = "relu_is_abs",
                                      .summary = "",
                                      .exactness = passes::Exactness::kReassociates,
                                      .find = FindRelus,
                                      .apply = MakeAbs};

std::vector<Site> FindScales(const ir::Model& model, const Uses&) {
  std::vector<Site> sites;
  for (const ir::NodeId id : model.graph.order) {
    const ir::Node& node = model.graph.node(id);
    if (!node.Is("Mul") || model.graph.value(node.inputs[1]).constant == nullptr) continue;
    sites.push_back({id, 0, {id}, ""});
  }
  return sites;
}

Result<bool> DivideInstead(ir::Model& model, const Uses&, const Site& site) {
  ir::Node& node = model.graph.node(site.anchor);
  node.op_type = "Div";
  node.inputs[1] = model.graph.AddConstant(model.graph.FreshName("inverse"),
                                           ir::Tensor::FromFloats({}, {1 / 0.3f}));
  return true;
}

// Rounds otherwise, and says that it does not.
const passes::Pass kNotExact = {.name = "divide",
                                .summary = "",
                                .exactness = passes::Exactness::kExact,
                                .find = FindScales,
                                .apply = DivideInstead};

const char kChain[] = R"(
    q = Mul(x, x)
    a = Relu(q)
    s = Mul(x, c)
    b = Relu(s)
    n = Neg(b)
    t = Transpose <perm = [1, 0]> (n)
    e = Exp(t)
    u = Transpose <perm = [1, 0]> (e)
    y = Add(a, u))";

std::unique_ptr<NativeDomain> Chain() {
  NativeOptions options;
  options.actions.more = {&kWrongSomewhere, &kNotExact};
  ir::Model model = passes::testing::Model(
      testing::Graph("(float[6,7] x) => (float[6,7] y)", "float c = {0.3}", kChain));
  auto domain = NativeDomain::Make(std::move(model), options);
  EXPECT_TRUE(domain.ok());
  return *std::move(domain);
}

class VerifyPathTest : public ::testing::Test {
 protected:
  void SetUp() override {
    OPASS_SKIP_WITHOUT_ORT();
    folder_ = std::filesystem::path(::testing::TempDir()) / "opass_verify_path";
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
    options_.reproducer_folder = folder_.string();
  }
  void TearDown() override {
    if (!folder_.empty()) std::filesystem::remove_all(folder_);
  }

  PathVerdict Verified(NativeDomain& domain, StateId state) {
    auto verdict = VerifyPath(domain, domain.PathTo(state), options_);
    EXPECT_TRUE(verdict.ok()) << (verdict.ok() ? "" : verdict.error().ToString());
    return *std::move(verdict);
  }

  std::filesystem::path folder_;
  VerifyPathOptions options_;
};

TEST_F(VerifyPathTest, RightActionsAreVerifiedOneByOneAndTogether) {
  const auto domain = testing::MakeDomain(testing::HardSwishes(13), 14);
  const StateId state = Walk(*domain, {"raise_opset", "fuse_activations everywhere"}).back();
  const PathVerdict verdict = Verified(*domain, state);
  EXPECT_EQ(verdict.state, state);
  EXPECT_EQ(verdict.whole.verified, true) << verdict.whole.message;
  EXPECT_TRUE(verdict.removed.empty());
  ASSERT_EQ(verdict.actions.size(), 2);
  for (const ActionVerdict& action : verdict.actions) {
    EXPECT_EQ(action.verdict.verified, true) << action.name << action.verdict.message;
  }
  EXPECT_EQ(verdict.actions[0].verdict.max_abs_error, 0);
}

TEST_F(VerifyPathTest, AWrongActionIsTakenOffThePathAndLeavesItsSmallestReproducer) {
  const auto domain = Chain();
  const StateId state =
      Walk(*domain, {"push_transposes everywhere", "relu_is_abs at 2 sites", "cancel_transposes"})
          .back();
  const PathVerdict verdict = Verified(*domain, state);
  EXPECT_EQ(verdict.state,
            Walk(*domain, {"push_transposes everywhere", "cancel_transposes"}).back());
  EXPECT_EQ(verdict.whole.verified, true) << verdict.whole.message;
  EXPECT_EQ(verdict.actions.size(), 2);
  ASSERT_EQ(verdict.removed.size(), 1);
  const ActionVerdict& wrong = verdict.removed[0];
  EXPECT_TRUE(wrong.name.starts_with("relu_is_abs at 2 sites")) << wrong.name;
  EXPECT_EQ(wrong.verdict.reason, "outputs-differ");
  ASSERT_EQ(wrong.reproducers.size(), 2);
  for (const std::string& path : wrong.reproducers) {
    const auto model = onnxlib::ReadModelFile(path);
    ASSERT_TRUE(model.ok()) << model.error().ToString();
    ASSERT_EQ(model->graph.order.size(), 1);
    const ir::Node& node = model->graph.node(model->graph.order[0]);
    EXPECT_EQ(node.op_type, path.ends_with("relu_is_abs_before.onnx") ? "Relu" : "Abs");
    EXPECT_EQ(model->graph.value(node.outputs[0]).name, "b");
  }
}

TEST_F(VerifyPathTest, RoundingIsNoExcuseForAnExactPass) {
  const auto domain = Chain();
  const PathVerdict verdict = Verified(*domain, Walk(*domain, {"divide"}).back());
  EXPECT_EQ(verdict.state, kStart);
  ASSERT_EQ(verdict.removed.size(), 1);
  EXPECT_LT(verdict.removed[0].verdict.max_abs_error, 1e-5);
  EXPECT_GT(verdict.removed[0].verdict.max_abs_error, 0);
}

TEST_F(VerifyPathTest, TheStartIsVerifiedAsItIs) {
  const auto domain = Chain();
  const PathVerdict verdict = Verified(*domain, kStart);
  EXPECT_EQ(verdict.whole.verified, true);
  EXPECT_TRUE(verdict.actions.empty());
}

// What a pass changed in a model given as text, as the operators of the part before and after.
std::vector<std::string> OpsOf(const ir::Model& model) {
  std::vector<std::string> ops;
  for (const ir::NodeId id : model.graph.order) ops.push_back(model.graph.node(id).op_type);
  return ops;
}

std::vector<std::string> InputsOf(const ir::Model& model) {
  std::vector<std::string> names;
  for (const ir::ValueId id : model.graph.inputs) names.push_back(model.graph.value(id).name);
  std::ranges::sort(names);
  return names;
}

TEST(ChangedPart, IsWhatWasRewrittenAndNothingElse) {
  const ir::Model before = passes::testing::Model(
      testing::Graph("(float[4,8] x) => (float[8,4] y)", "float unused = {0}", R"(
      a = Exp(x)
      t = Transpose <perm = [1, 0]> (a)
      b = Neg(t)
      y = Tanh(b))"));
  ir::Model after = before;
  ASSERT_TRUE(passes::RunPass(*passes::FindPass("push_transposes"), after, {}).ok());
  const auto part = FindChangedPart(before, after);
  ASSERT_TRUE(part.has_value());
  EXPECT_EQ(InputsOf(part->before), std::vector<std::string>{"a"});
  EXPECT_EQ(InputsOf(part->after), std::vector<std::string>{"a"});
  EXPECT_EQ(OpsOf(part->before), (std::vector<std::string>{"Transpose", "Neg", "Tanh"}));
  EXPECT_EQ(OpsOf(part->after), (std::vector<std::string>{"Neg", "Tanh", "Transpose"}));
}

// d reads a instead of b, which is gone: a is made of x on both sides.
TEST(ChangedPart, HoldsWhatStandsBetweenItsInputs) {
  const ir::Model before = passes::testing::Model(
      testing::Graph("(float[4] x) => (float[4] c, float[4] d)", "float unused = {0}", R"(
      a = Relu(x)
      b = Relu(x)
      c = Neg(a)
      d = Exp(b))"));
  ir::Model after = before;
  ASSERT_TRUE(passes::RunPass(*passes::FindPass("merge_common_subexpressions"), after, {}).ok());
  const auto part = FindChangedPart(before, after);
  ASSERT_TRUE(part.has_value());
  EXPECT_EQ(InputsOf(part->before), std::vector<std::string>{"x"});
  EXPECT_EQ(InputsOf(part->after), std::vector<std::string>{"x"});
  EXPECT_EQ(OpsOf(part->after), (std::vector<std::string>{"Relu", "Exp"}));
}

TEST(ChangedPart, NothingChangedIsNoPart) {
  const ir::Model model = passes::testing::Model(testing::HardSwishes(14));
  EXPECT_FALSE(FindChangedPart(model, model).has_value());
}

}  // namespace
}  // namespace opass::orchestrator
