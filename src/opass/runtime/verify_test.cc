#include "opass/runtime/verify.h"

#include <gtest/gtest.h>

#include "opass/ort/model_builder.h"
#include "opass/ort/test_skip.h"

namespace opass::runtime {
namespace {

using ir::DataType;
using ir::Tensor;
using ir::Type;
using ort::ModelBuilder;

// y = last(exp(x) * factor)
ModelBuilder Model(float factor, const std::string& last = "Neg") {
  ModelBuilder builder;
  const auto x = builder.Input("x", {8});
  const auto a = builder.Op("Exp", {x}, "a", {8});
  const auto f = builder.Constant("f", Tensor::FromFloats({}, {factor}));
  const auto b = builder.Op("Mul", {a, f}, "b", {8});
  builder.Output(builder.Op(last, {b}, "y", {8}));
  return builder;
}

Verdict Verified(ModelBuilder a, ModelBuilder b, const VerifyOptions& options = {}) {
  const auto verdict = VerifyModels(a.model(), b.model(), options);
  EXPECT_TRUE(verdict.ok()) << verdict.error().ToString();
  return *verdict;
}

TEST(VerifyTest, EqualModelsAreVerified) {
  OPASS_SKIP_WITHOUT_ORT();
  const Verdict verdict = Verified(Model(2), Model(2), {.inner_values = true, .inputs = {}});
  EXPECT_EQ(verdict.verified, true);
  EXPECT_EQ(verdict.max_abs_error, 0);
  EXPECT_EQ(verdict.num_tensors, 4);  // a and b once, y twice
}

TEST(VerifyTest, AnotherFactorIsNot) {
  OPASS_SKIP_WITHOUT_ORT();
  const Verdict verdict = Verified(Model(2), Model(2.0001F));
  EXPECT_EQ(verdict.verified, false);
  EXPECT_EQ(verdict.reason, "outputs-differ");
  EXPECT_GT(*verdict.max_abs_error, 0);
  EXPECT_EQ(verdict.worst_tensor, "y");
}

TEST(VerifyTest, ReassociationHasABound) {
  OPASS_SKIP_WITHOUT_ORT();
  VerifyOptions options;
  options.exact = false;
  EXPECT_EQ(Verified(Model(2), Model(2.0001F), options).verified, true);
  EXPECT_EQ(Verified(Model(2), Model(2.001F), options).verified, false);
}

// Both sigmoids are exactly 0 and 1, whatever stands before them.
TEST(VerifyTest, ComparesBeforeASaturatedOutput) {
  OPASS_SKIP_WITHOUT_ORT();
  const Verdict verdict = Verified(Model(1e6F, "Sigmoid"), Model(2e6F, "Sigmoid"));
  EXPECT_EQ(verdict.verified, false);
  EXPECT_EQ(verdict.worst_tensor, "b");
  ASSERT_EQ(verdict.notes.size(), 2U);
  EXPECT_EQ(verdict.notes[0], "output 'y' is constant: its agreement says little");
  EXPECT_EQ(verdict.notes[1], "compared before it as well: 'b'");
}

TEST(VerifyTest, ReasonsWithoutAnAnswer) {
  OPASS_SKIP_WITHOUT_ORT();
  EXPECT_EQ(Verified(Model(1, "RandomNormalLike"), Model(1)).reason, "random-operator");
  const Verdict strange = Verified(Model(1, "example.org.Strange"), Model(1));
  EXPECT_EQ(strange.verified, std::nullopt);
  EXPECT_EQ(strange.reason, "missing-kernel");
  ModelBuilder other;
  other.Output(other.Op("Neg", {other.Input("x", {8})}, "z", {8}));
  EXPECT_EQ(Verified(Model(1), other).reason, "nothing-in-common");
}

TEST(VerifyTest, ACandidateThatDoesNotRunIsNotVerified) {
  OPASS_SKIP_WITHOUT_ORT();
  const Verdict verdict = Verified(Model(1), Model(1, "example.org.Strange"));
  EXPECT_EQ(verdict.verified, false);
  EXPECT_NE(verdict.message.find("the other model does not"), std::string::npos);
}

TEST(VerifyTest, AMissingOutputIsNotVerified) {
  OPASS_SKIP_WITHOUT_ORT();
  ModelBuilder two = Model(1);
  two.Output(*two.model().graph.FindValue("a"));
  const Verdict verdict = Verified(two, Model(1, "Abs"), {.inputs = {}});
  EXPECT_EQ(verdict.verified, false);
  ModelBuilder renamed;
  const auto x = renamed.Input("x", {8});
  renamed.Output(renamed.Op("Exp", {x}, "a", {8}));
  const Verdict missing = Verified(two, renamed);
  EXPECT_EQ(missing.message, "output 'y' is missing");
}

// The candidate still computes the value, but nobody can fetch it any more.
TEST(VerifyTest, AnOutputThatBecameAnInnerValueIsMissing) {
  OPASS_SKIP_WITHOUT_ORT();
  ModelBuilder two = Model(1);
  two.Output(*two.model().graph.FindValue("a"));
  const Verdict verdict = Verified(two, Model(1));
  EXPECT_EQ(verdict.verified, false);
  EXPECT_EQ(verdict.message, "output 'a' is missing");
}

// Whole, the runtime keeps 32 bits between two nodes of float16: x + 1 - 1 is x, unless the sum is
// rounded to 16 bits as the model says. The candidate leaves the sum as an output.
TEST(VerifyTest, ShortFloatsAreRoundedAtEveryNode) {
  OPASS_SKIP_WITHOUT_ORT();
  const auto chain = [](bool sum_is_output) {
    ModelBuilder builder;
    const Type type = Type::Tensor(DataType::kFloat16, {64});
    const auto x = builder.Input("x", type);
    const auto a = builder.Op("Erf", {x}, "a", type);
    const auto b = builder.Op("Erf", {a}, "b", type);
    builder.Output(builder.Op("Erf", {b}, "y", type));
    if (sum_is_output) builder.Output(b);
    return builder;
  };
  const Verdict verdict = Verified(chain(false), chain(true));
  EXPECT_EQ(verdict.verified, true) << verdict.message;
}

TEST(VerifyTest, SequencesAreComparedByElement) {
  OPASS_SKIP_WITHOUT_ORT();
  const auto split = [](const std::string& op) {
    ModelBuilder builder;
    const auto x = builder.Input("x", {4, 2});
    const auto a = builder.Op(op, {x}, "a", {4, 2});
    Type sequence;
    sequence.kind = Type::Kind::kOther;
    sequence.other = std::make_shared<const std::string>("\x22\x06\x0a\x04\x0a\x02\x08\x01");
    builder.Output(builder.Op("SplitToSequence", {a}, "s", sequence));
    return builder;
  };
  EXPECT_EQ(Verified(split("Neg"), split("Neg")).verified, true);
  EXPECT_EQ(Verified(split("Neg"), split("Neg")).num_tensors, 8);
  EXPECT_EQ(Verified(split("Neg"), split("Exp")).verified, false);
}

// A sequence of maps has no tensor to read: what its node reads is compared instead, and where that
// is no common value, nothing was verified.
TEST(VerifyTest, AnOutputWithoutTensorsVerifiesNothing) {
  OPASS_SKIP_WITHOUT_ORT();
  const auto maps = [](const std::string& op) {
    ModelBuilder builder;
    ir::ValueId source = builder.Input("x", {4, 2});
    if (!op.empty()) source = builder.Op(op, {source}, "a", {4, 2});
    Type type;  // sequence of map of int64 to float
    type.kind = Type::Kind::kOther;
    type.other = std::make_shared<const std::string>(
        "\x22\x0c\x0a\x0a\x2a\x08\x08\x07\x12\x04\x0a\x02\x08\x01");
    builder.Output(builder.Op("ai.onnx.ml.ZipMap", {source}, "maps", type,
                              {{"classlabels_int64s", std::vector<std::int64_t>{0, 1}}}));
    return builder;
  };
  const Verdict nothing = Verified(maps(""), maps(""));
  EXPECT_EQ(nothing.verified, std::nullopt) << nothing.num_tensors;
  EXPECT_EQ(nothing.reason, "nothing-in-common");
  EXPECT_EQ(Verified(maps("Neg"), maps("Neg")).verified, true);
  EXPECT_EQ(Verified(maps("Neg"), maps("Exp")).verified, false);
}

}  // namespace
}  // namespace opass::runtime
