#include "opass/opass.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "opass/memory/plan_json.h"
#include "opass/onnx/text.h"
#include "opass/onnx/write.h"
#include "opass/ort/test_skip.h"
#include "opass/proof.h"

namespace opass {
namespace {

// Writes the model of a text and runs the main job on it.
class OptimizeTest : public ::testing::Test {
 protected:
  void SetUp() override {
    OPASS_SKIP_WITHOUT_ORT();
    path_ = std::filesystem::temp_directory_path() /
            ("opass_optimize_test_" + std::to_string(getpid()) + ".onnx");
  }
  void TearDown() override { std::filesystem::remove(path_); }

  Result<Outcome> Run(const std::string& text, const Options& options = {}) {
    const auto model = onnxlib::ParseText(text);
    if (!model.ok()) return model.error();
    OPASS_RETURN_IF_ERROR(onnxlib::WriteModelFile(*model, path_, {}, nullptr));
    return Optimize(path_, options);
  }

  std::string path_;
};

// Three branches of 4096 bytes a value, written breadth first.
constexpr const char* kBranches = R"(
    <ir_version: 8, opset_import: ["": 17]>
    g (float[1,4,16,16] x) => (float[1,12,1,1] y) {
      a1 = Transpose <perm = [0, 1, 3, 2]> (x)
      a2 = Transpose <perm = [0, 1, 3, 2]> (x)
      a3 = Transpose <perm = [0, 1, 3, 2]> (x)
      b1 = Transpose <perm = [0, 1, 3, 2]> (a1)
      b2 = Transpose <perm = [0, 1, 3, 2]> (a2)
      b3 = Transpose <perm = [0, 1, 3, 2]> (a3)
      c1 = GlobalAveragePool(b1)
      c2 = GlobalMaxPool(b2)
      c3 = GlobalMaxPool(b3)
      y = Concat <axis = 1> (c1, c2, c3)
    })";

TEST_F(OptimizeTest, OrdersPlacesAndProves) {
  const auto outcome = Run(kBranches);
  ASSERT_TRUE(outcome.ok()) << outcome.error().ToString();
  // File order: x, a1, a2 and a3 are live at once. Branch by branch: x, a2 and b2 beside the
  // finished c1 of 16 bytes, which take 64.
  EXPECT_EQ(outcome->before.peak_bytes, 4 * 4096);
  EXPECT_EQ(outcome->plan.peak_bytes, 3 * 4096 + 64);
  EXPECT_EQ(outcome->report.verification.verified, true);
  EXPECT_EQ(outcome->report.verification.max_abs_error, 0.0);
  EXPECT_LE(outcome->plan.lower_bound_bytes, outcome->plan.peak_bytes);
  EXPECT_GE(outcome->plan.arena_bytes, outcome->plan.peak_bytes);
}

TEST_F(OptimizeTest, TheSameBytesEveryTime) {
  const auto once = Run(kBranches);
  const auto again = Run(kBranches);
  ASSERT_TRUE(once.ok() && again.ok());
  EXPECT_EQ(memory::PlanToJson(once->posed.problem, once->plan),
            memory::PlanToJson(again->posed.problem, again->plan));
  EXPECT_EQ(*onnxlib::SerializeModel(once->model), *onnxlib::SerializeModel(again->model));
}

TEST_F(OptimizeTest, AnyAlignmentIsExecutedAtOneThatKernelsTake) {
  Options options;
  options.alignment = 1;
  const auto outcome = Run(kBranches, options);
  ASSERT_TRUE(outcome.ok()) << outcome.error().ToString();
  EXPECT_EQ(outcome->plan.alignment, 1);
  EXPECT_EQ(outcome->report.verification.verified, true);
}

TEST_F(OptimizeTest, MeasuredScratchIsPlannedAndServed) {
  Options options;
  options.target = "onnxruntime";
  const auto outcome = Run(R"(
    <ir_version: 8, opset_import: ["": 17]>
    g (float[4,64,8] x) => (float[4,64,8] y) {
      a = Softmax <axis = 1> (x)
      y = Relu(a)
    })",
                           options);
  ASSERT_TRUE(outcome.ok()) << outcome.error().ToString();
  EXPECT_GT(outcome->report.verification.scratch_bytes, 0);
  EXPECT_EQ(outcome->report.verification.outside_bytes, 0);
  EXPECT_EQ(outcome->report.verification.verified, true);
}

// A table that is computed in every run: 64 KiB of the arena, or of the weights.
constexpr const char* kTable = R"(
    <ir_version: 8, opset_import: ["": 17]>
    g (int64[2] ids) => (float[2,16] y)
    <int64[2] shape = {1024, 16}> {
      table = ConstantOfShape(shape)
      y = Gather(table, ids)
    })";

TEST_F(OptimizeTest, FoldingStoresWhatItSaves) {
  const auto outcome = Run(kTable);
  ASSERT_TRUE(outcome.ok()) << outcome.error().ToString();
  EXPECT_GT(outcome->before.peak_bytes, 65536);
  // Saved: 65536 bytes of the arena; stored: 65536 less the 16 bytes of the shape.
  EXPECT_LT(outcome->plan.peak_bytes, 1024);
  EXPECT_EQ(outcome->posed.weights_bytes, 65536);
}

TEST_F(OptimizeTest, FoldingStoresNothingWhenTold) {
  Options options;
  options.fold_growth_bytes = 0;
  const auto outcome = Run(kTable, options);
  ASSERT_TRUE(outcome.ok()) << outcome.error().ToString();
  EXPECT_GT(outcome->plan.peak_bytes, 65536);
  EXPECT_EQ(outcome->posed.weights_bytes, 16);
}

// The converter may round, the passes may not: 1e-6 more in a weight is found.
TEST_F(OptimizeTest, AConvertedModelIsComparedBitByBitAsWell) {
  auto outcome = Run(R"(
    <ir_version: 3, opset_import: ["": 6]>
    g (float[4] x) => (float[4] y) <float[4] f = {2, 2, 2, 2}> {
      y = Mul(x, f)
    })");
  ASSERT_TRUE(outcome.ok()) << outcome.error().ToString();
  ASSERT_TRUE(outcome->unconverted.has_value());
  EXPECT_EQ(outcome->report.verification.verified, true);
  const auto f = outcome->model.graph.FindValue("f");
  ASSERT_TRUE(f.has_value());
  outcome->model.graph.value(*f).constant =
      ir::Tensor::FromFloats({4}, {2.000002F, 2.000002F, 2.000002F, 2.000002F});
  const Status status = proof::Verify(*outcome, outcome->posed, outcome->plan, {});
  ASSERT_FALSE(status.ok());
  EXPECT_NE(status.error().message.find("differs from the original"), std::string::npos);
}

TEST_F(OptimizeTest, AModelThatCannotBeComparedSaysWhy) {
  const auto outcome = Run(R"(
    <ir_version: 8, opset_import: ["": 17]>
    g (float[4] x) => (float[4] y) {
      r = RandomNormalLike(x)
      y = Add(x, r)
    })");
  ASSERT_TRUE(outcome.ok()) << outcome.error().ToString();
  EXPECT_EQ(outcome->report.verification.verified, std::nullopt);
  EXPECT_EQ(outcome->report.verification.reason, "random-operator");
}

}  // namespace
}  // namespace opass
