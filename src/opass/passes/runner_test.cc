#include "opass/passes/runner.h"

#include <set>

#include "opass/passes/testing/golden.h"

namespace opass::passes {
namespace {

constexpr const char* kGraph = R"(
    <ir_version: 8, opset_import: ["": 17]>
    g (float[4] x) => (float[4] y) {
      a = Identity(x)
      b = Identity(a)
      y = Relu(b)
    })";

TEST(Runner, ReportsEachPassOnceAndReachesAFixpoint) {
  ir::Model model = testing::Model(kGraph);
  std::vector<std::string> changed;
  RunnerOptions options;
  options.after_change = [&](const Pass& pass, const ir::Model&) -> Status {
    changed.emplace_back(pass.name);
    return {};
  };
  const auto reports = RunPasses(model, CleanUpPasses(), options);
  ASSERT_TRUE(reports.ok());
  EXPECT_EQ(reports->size(), CleanUpPasses().size());
  EXPECT_EQ(model.graph.order.size(), 1u);
  EXPECT_EQ(changed, std::vector<std::string>{"eliminate_identity"});
}

TEST(Runner, DisabledPassesDoNotRun) {
  ir::Model model = testing::Model(kGraph);
  RunnerOptions options;
  options.disabled = {"eliminate_identity"};
  ASSERT_TRUE(RunPasses(model, CleanUpPasses(), options).ok());
  EXPECT_EQ(model.graph.order.size(), 3u);
}

TEST(Runner, UnknownNamesAreWrongUse) {
  ir::Model model = testing::Model(kGraph);
  RunnerOptions options;
  options.disabled = {"no_such_pass"};
  const auto result = RunPasses(model, CleanUpPasses(), options);
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().code, ErrorCode::kInvalidInput);
  EXPECT_NE(result.error().hint.find("fold_constants"), std::string::npos);
}

TEST(Registry, EveryPassIsNamedAsItsFile) {
  std::set<std::string_view> names;
  for (const Pass* pass : Passes()) {
    EXPECT_EQ(FindPass(pass->name), pass);
    EXPECT_TRUE(names.insert(pass->name).second);
    EXPECT_FALSE(pass->summary.empty());
  }
  EXPECT_TRUE(names.contains("eliminate_dead"));
}

}  // namespace
}  // namespace opass::passes
