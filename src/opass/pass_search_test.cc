#include "opass/pass_search.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "opass/orchestrator/native/testing/graphs.h"
#include "opass/passes/rewrite.h"

namespace opass::pass_search {
namespace {

using passes::Site;
using passes::Uses;

std::vector<Site> FindRelus(const ir::Model& model, const Uses&) {
  std::vector<Site> sites;
  for (const ir::NodeId id : model.graph.order) {
    if (model.graph.node(id).Is("Relu")) sites.push_back({id, 0, {id}, ""});
  }
  return sites;
}

Result<bool> MakeAbs(ir::Model& model, const Uses&, const Site& site) {
  model.graph.node(site.anchor).op_type = "Abs";
  return true;
}

// Wrong on purpose.
const passes::Pass kReluIsAbs = {.name = "relu_is_abs",
                                 .summary = "",
                                 .exactness = passes::Exactness::kReassociates,
                                 .find = FindRelus,
                                 .apply = MakeAbs};

// The transposes can go.
Searched WithAWrongStep() {
  orchestrator::NativeOptions options;
  options.actions.more = {&kReluIsAbs};
  ir::Model model = passes::testing::Model(
      passes::testing::Graph("(float[16,32] x) => (float[16,32] y)", "float unused = {0}", R"(
      a = Relu(x)
      t = Transpose <perm = [1, 0]> (a)
      e = Exp(t)
      u = Transpose <perm = [1, 0]> (e)
      y = Add(u, x))"));
  auto domain = orchestrator::NativeDomain::Make(std::move(model), options);
  EXPECT_TRUE(domain.ok());
  const orchestrator::StateId state =
      orchestrator::testing::Walk(
          **domain, {"push_transposes everywhere", "relu_is_abs", "cancel_transposes"})
          .back();
  Searched searched;
  searched.domain = *std::move(domain);
  searched.state = state;
  searched.steps = searched.domain->PathTo(state);
  searched.report.before_peak_bytes =
      searched.domain->Evaluate(orchestrator::kStart, orchestrator::Effort::kFull)->peak_bytes;
  return searched;
}

TEST(PassSearchTest, WhatVerificationTakesOffIsToldAndTheRestHasItsOwnGains) {
  OPASS_SKIP_WITHOUT_ORT();
  Searched searched = WithAWrongStep();
  ASSERT_EQ(searched.steps.size(), 3);
  const auto folder = std::filesystem::path(::testing::TempDir()) / "opass_pass_search";
  std::filesystem::create_directories(folder);
  Options options;
  options.search.reproducer_folder = folder.string();
  ASSERT_TRUE(VerifyActions(searched, options).ok());
  const reports::SearchReport& report = searched.report;
  ASSERT_EQ(report.removed.size(), 1);
  EXPECT_TRUE(report.removed[0].name.starts_with("relu_is_abs")) << report.removed[0].name;
  EXPECT_FALSE(report.removed[0].message.empty());
  EXPECT_EQ(report.removed[0].reproducers.size(), 2);
  ASSERT_EQ(report.steps.size(), 2);
  std::int64_t gained = 0;
  for (std::size_t i = 0; i < report.steps.size(); ++i) {
    EXPECT_EQ(report.steps[i].name, searched.steps[i].what.shown.name);
    ASSERT_TRUE(report.steps[i].gained_bytes.has_value());
    gained += *report.steps[i].gained_bytes;
  }
  EXPECT_EQ(gained, report.before_peak_bytes - report.after_peak_bytes);
  EXPECT_EQ(searched.state, searched.steps.back().to);

  reports::Report whole;
  whole.search = report;
  EXPECT_NE(reports::Explanation(whole).find("taken off by verification: relu_is_abs"),
            std::string::npos);
  EXPECT_NE(reports::JsonText(whole).find("relu_is_abs_before.onnx"), std::string::npos);
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace opass::pass_search
