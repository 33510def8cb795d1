#include "opass/runtime/jumps.h"

#include <gtest/gtest.h>

#include "opass/ort/model_builder.h"
#include "opass/ort/test_skip.h"
#include "opass/runtime/verify.h"

namespace opass::runtime {
namespace {

using ir::Tensor;
using ort::ModelBuilder;

constexpr std::int64_t kSize = 20'000;

// x * 10 * factor is rounded, and what comes out is multiplied.
ModelBuilder Rounding(float factor, float behind = 100, const std::string& jump = "Round",
                      bool list_all = true) {
  ModelBuilder builder;
  const auto x = builder.Input("x", {kSize});
  const auto f = builder.Constant("f", Tensor::FromFloats({}, {10 * factor}));
  const auto m = builder.Constant("m", Tensor::FromFloats({}, {behind}));
  const auto scaled = builder.Op("Mul", {x, f}, "scaled", {kSize});
  const auto rounded = builder.Op(jump, {scaled}, "rounded", {kSize});
  if (list_all) builder.Output(scaled);
  builder.Output(builder.Op("Mul", {rounded, m}, "y", {kSize}));
  return builder;
}

Verdict Compare(ModelBuilder a, ModelBuilder b, bool exact) {
  VerifyOptions options;
  options.exact = exact;
  const auto verdict = VerifyModels(a.model(), b.model(), options);
  EXPECT_TRUE(verdict.ok()) << verdict.error().ToString();
  return *verdict;
}

TEST(Jumps, ContinuityGoesAlongTheGraph) {
  ModelBuilder builder;
  const auto x = builder.Input("x", {4});
  const auto n = builder.Input("n", ir::Type::Tensor(ir::DataType::kInt64, {4}));
  const ir::Type ints = ir::Type::Tensor(ir::DataType::kInt64, {4});
  const auto smooth = builder.Op("Exp", {x}, "smooth", {4});
  const auto jump = builder.Op("Floor", {smooth}, "jump", {4});
  const auto behind = builder.Op("Neg", {jump}, "behind", {4});
  const auto cast = builder.Op("Cast", {x}, "cast", ints, {{"to", std::int64_t{7}}});
  const auto of_ints = builder.Op("Mod", {n, n}, "of_ints", ints);
  const auto to_float = builder.Op("Cast", {of_ints}, "to_float", {4}, {{"to", std::int64_t{1}}});
  const auto values = FindJumps(builder.model().graph);
  EXPECT_EQ(values[x.index()], Continuity::kSmooth);
  EXPECT_EQ(values[smooth.index()], Continuity::kSmooth);
  EXPECT_EQ(values[jump.index()], Continuity::kJumps);
  EXPECT_EQ(values[behind.index()], Continuity::kBehind);
  EXPECT_EQ(values[cast.index()], Continuity::kJumps);
  EXPECT_EQ(values[of_ints.index()], Continuity::kSmooth);
  EXPECT_EQ(values[to_float.index()], Continuity::kSmooth);
}

TEST(Jumps, FlipsByRoundingAreToldAndWhatIsBehindThemIsNotJudged) {
  OPASS_SKIP_WITHOUT_ORT();
  for (const bool list_all : {true, false}) {
    const Verdict verdict = Compare(Rounding(1, 100, "Round", list_all),
                                    Rounding(1.00003F, 100, "Round", list_all), false);
    EXPECT_EQ(verdict.verified, true) << verdict.message;
    ASSERT_EQ(verdict.flips.size(), 1);
    EXPECT_EQ(verdict.flips[0].value, "rounded");
    EXPECT_GT(verdict.flips[0].num_different, 0);
    EXPECT_LT(verdict.flips[0].num_different, verdict.flips[0].num_elements / 100);
    EXPECT_LT(*verdict.max_abs_error, 0.01);  // before the jump
    EXPECT_EQ(verdict.notes.back(), "behind flipped elements, not judged: 'y'");
  }
}

TEST(Jumps, BitEqualMeansBitEqual) {
  OPASS_SKIP_WITHOUT_ORT();
  EXPECT_EQ(Compare(Rounding(1), Rounding(1.00003F), true).verified, false);
}

TEST(Jumps, AnErrorBehindAJumpThatDidNotFlipIsAnError) {
  OPASS_SKIP_WITHOUT_ORT();
  const Verdict verdict = Compare(Rounding(1), Rounding(1, 101), false);
  EXPECT_EQ(verdict.verified, false);
  EXPECT_EQ(verdict.message, "'y' differ and nothing before them flipped");
}

TEST(Jumps, ManyFlipsAreAnError) {
  OPASS_SKIP_WITHOUT_ORT();
  EXPECT_EQ(Compare(Rounding(1), Rounding(1, 100, "Floor"), false).verified, false);
}

}  // namespace
}  // namespace opass::runtime
