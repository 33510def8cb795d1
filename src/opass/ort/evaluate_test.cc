#include "opass/ort/evaluate.h"

#include <gtest/gtest.h>

#include "opass/ort/model_builder.h"
#include "opass/ort/test_skip.h"

namespace opass::ort {
namespace {

using ir::DataType;
using ir::Tensor;
using ir::Type;

// y = relu(x) + weight
ModelBuilder ReluAdd() {
  ModelBuilder builder;
  const auto x = builder.Input("x", {3});
  const auto weight = builder.Constant("weight", Tensor::FromFloats({3}, {10, 20, 30}));
  const auto relu = builder.Op("Relu", {x}, "relu", {3});
  builder.Output(builder.Op("Add", {relu, weight}, "y", {3}));
  return builder;
}

TEST(EvaluateTest, ComputesOutputsAndInnerValues) {
  OPASS_SKIP_WITHOUT_ORT();
  ModelBuilder builder = ReluAdd();
  const NamedTensors inputs = {{"x", Tensor::FromFloats({3}, {-1, 2, -3})}};
  auto outputs = Evaluate(builder.model(), inputs);
  ASSERT_TRUE(outputs.ok()) << outputs.error().ToString();
  EXPECT_EQ(*ir::AsDoubles(*(*outputs)[0]), (std::vector<double>{10, 22, 30}));
  outputs = Evaluate(builder.model(), inputs, {.fetch = {"y", "relu"}});
  ASSERT_TRUE(outputs.ok()) << outputs.error().ToString();
  EXPECT_EQ(*ir::AsDoubles(*(*outputs)[1]), (std::vector<double>{0, 2, 0}));
}

// Large weights go to the runtime in their own memory, small ones inside the model.
TEST(EvaluateTest, LargeWeightsAreHandedOver) {
  OPASS_SKIP_WITHOUT_ORT();
  constexpr std::int64_t kCount = 20'000;
  std::vector<float> ramp(kCount);
  for (std::size_t i = 0; i < ramp.size(); ++i) ramp[i] = static_cast<float>(i);
  ModelBuilder builder;
  const auto x = builder.Input("x", std::vector<std::int64_t>{1});
  const auto large = builder.Constant("large", Tensor::FromFloats({kCount}, ramp));
  const auto small = builder.Constant("small", Tensor::FromFloats({1}, {0.5F}));
  const auto sum = builder.Op("Add", {large, small}, "sum", {kCount});
  builder.Output(builder.Op("Add", {sum, x}, "y", {kCount}));
  for (const bool disable_prepacking : {false, true}) {
    const auto outputs =
        Evaluate(builder.model(), {{"x", Tensor::FromFloats({1}, {1})}},
                 {.fetch = {}, .disable_prepacking = disable_prepacking, .threads = 1});
    ASSERT_TRUE(outputs.ok()) << outputs.error().ToString();
    const auto values = ir::AsDoubles(*(*outputs)[0]);
    EXPECT_EQ((*values)[7], 8.5);
    EXPECT_EQ(values->back(), kCount + 0.5);
  }
}

TEST(EvaluateTest, SaysWhatIsMissing) {
  OPASS_SKIP_WITHOUT_ORT();
  ModelBuilder builder = ReluAdd();
  const auto no_input = Evaluate(builder.model(), {});
  ASSERT_FALSE(no_input.ok());
  EXPECT_EQ(no_input.error().reason, "missing-input");
  const auto no_value = Evaluate(builder.model(), {}, {.fetch = {"nobody"}});
  ASSERT_FALSE(no_value.ok());
  EXPECT_EQ(no_value.error().code, ErrorCode::kInvalidInput);
  const auto wrong = Evaluate(builder.model(), {{"x", Tensor::FromInt64s({3}, {1, 2, 3})}});
  ASSERT_FALSE(wrong.ok());
  EXPECT_EQ(wrong.error().reason, "run-failed");
}

TEST(EvaluateTest, AnUnknownOperatorIsAMissingKernel) {
  OPASS_SKIP_WITHOUT_ORT();
  for (const char* op : {"example.org.Strange", "ImageDecoder"}) {
    ModelBuilder builder;
    const auto x = builder.Input("x", Type::Tensor(DataType::kUint8, {3}));
    builder.Output(builder.Op(op, {x}, "y", Type::Tensor(DataType::kUint8, {1, 1, 3})));
    const auto outputs = Evaluate(builder.model(), {});
    ASSERT_FALSE(outputs.ok());
    EXPECT_EQ(outputs.error().reason, "missing-kernel") << outputs.error().ToString();
  }
}

TEST(EvaluateTest, StringsGoInAndComeOut) {
  OPASS_SKIP_WITHOUT_ORT();
  ModelBuilder builder;
  const Type type = Type::Tensor(DataType::kString, {2});
  const auto x = builder.Input("x", type);
  auto suffix = std::make_shared<Tensor>();
  suffix->type = DataType::kString;
  suffix->dims = {2};
  suffix->strings = {"", "!"};
  const auto constant = builder.Constant("suffix", suffix);
  builder.Output(builder.Op("StringConcat", {x, constant}, "y", type));
  auto words = std::make_shared<Tensor>();
  words->type = DataType::kString;
  words->dims = {2};
  words->strings = {"", "gr\xc3\xbc\xc3\x9f dich"};
  const auto outputs = Evaluate(builder.model(), {{"x", words}});
  ASSERT_TRUE(outputs.ok()) << outputs.error().ToString();
  EXPECT_EQ((*outputs)[0]->strings, (std::vector<std::string>{"", "gr\xc3\xbc\xc3\x9f dich!"}));
}

TEST(EvaluateTest, SequencesAreReadElementByElement) {
  OPASS_SKIP_WITHOUT_ORT();
  ModelBuilder builder;
  const auto x = builder.Input("x", {4, 2});
  Type sequence;
  sequence.kind = Type::Kind::kOther;
  // TypeProto: sequence_type { elem_type { tensor_type { elem_type: FLOAT } } }
  sequence.other = std::make_shared<const std::string>("\x22\x06\x0a\x04\x0a\x02\x08\x01");
  builder.Output(builder.Op("SplitToSequence", {x}, "s", sequence));
  auto evaluator = Evaluator::Make(builder.model());
  ASSERT_TRUE(evaluator.ok()) << evaluator.error().ToString();
  const NamedTensors inputs = {{"x", Tensor::FromFloats({4, 2}, {0, 1, 2, 3, 4, 5, 6, 7})}};
  const auto lists = evaluator->RunAll(inputs);
  ASSERT_TRUE(lists.ok()) << lists.error().ToString();
  ASSERT_EQ((*lists)[0].size(), 4U);
  EXPECT_EQ(*ir::AsDoubles(*(*lists)[0][3]), (std::vector<double>{6, 7}));
  EXPECT_EQ((*evaluator->Run(inputs))[0], nullptr);
}

// Four-bit elements are packed in the file, in ir and in the runtime alike.
TEST(EvaluateTest, PackedElementsKeepTheirBytes) {
  OPASS_SKIP_WITHOUT_ORT();
  ModelBuilder builder;
  const Type type = Type::Tensor(DataType::kInt4, {3});
  const auto x = builder.Input("x", {3});
  const auto scale = builder.Constant("scale", Tensor::FromFloats({}, {1}));
  const auto zero =
      builder.Constant("zero", Tensor::Make(DataType::kInt4, {}, std::string(1, '\0')));
  const auto q = builder.Op("QuantizeLinear", {x, scale, zero}, "q", type);
  builder.Output(q);
  builder.Output(builder.Op("DequantizeLinear", {q, scale, zero}, "y", {3}));
  const auto outputs = Evaluate(builder.model(), {{"x", Tensor::FromFloats({3}, {1, -2, 7})}});
  ASSERT_TRUE(outputs.ok()) << outputs.error().ToString();
  EXPECT_TRUE(ir::SameContent(*(*outputs)[0], *Tensor::Make(DataType::kInt4, {3}, "\xe1\x07")));
  EXPECT_EQ(*ir::AsDoubles(*(*outputs)[1]), (std::vector<double>{1, -2, 7}));
}

TEST(EvaluateTest, EveryElementTypeGoesThroughUnchanged) {
  OPASS_SKIP_WITHOUT_ORT();
  for (int number = 1; number <= 20; ++number) {
    const auto type = static_cast<DataType>(number);
    if (type == DataType::kString || type == DataType::kComplex64 ||
        type == DataType::kComplex128) {
      continue;  // no kernel
    }
    ModelBuilder builder;
    const Type value_type = Type::Tensor(type, {2, 1});
    const auto x = builder.Input("x", value_type);
    builder.Output(builder.Op("Identity", {x}, "y", value_type));
    const auto size = static_cast<std::size_t>(*value_type.SizeBytes());
    const auto tensor = Tensor::Make(type, {2, 1}, std::string(size, '\1'));
    const auto outputs = Evaluate(builder.model(), {{"x", tensor}});
    ASSERT_TRUE(outputs.ok()) << outputs.error().ToString();
    EXPECT_TRUE(ir::SameContent(*(*outputs)[0], *tensor)) << ir::Name(type);
  }
}

// The table of element types above the numbers that ONNX and the runtime share.
TEST(ValueTest, ElementTypesGoBothWays) {
  for (int i = 0; i <= ir::kMaxDataType; ++i) {
    const auto type = static_cast<DataType>(i);
    EXPECT_EQ(DataTypeOf(ElementTypeOf(type)), type);
  }
  EXPECT_EQ(ElementTypeOf(DataType::kFloat8E8M0), 26);
  EXPECT_EQ(ElementTypeOf(DataType::kUint2), 24);
}

TEST(EnvironmentTest, OneThreadSharesAnyEnvironmentAndOthersWaitTheirTurn) {
  OPASS_SKIP_WITHOUT_ORT();
  {
    auto two = Environment::Get(2);
    ASSERT_TRUE(two.ok()) << two.error().ToString();
    auto one = Environment::Get(1);
    ASSERT_TRUE(one.ok());
    EXPECT_EQ(one->get(), two->get());
    EXPECT_FALSE(Environment::Get(3).ok());
    ModelBuilder builder = ReluAdd();
    const auto outputs = Evaluate(builder.model(), {{"x", Tensor::FromFloats({3}, {1, 2, 3})}},
                                  {.fetch = {}, .disable_prepacking = true, .threads = 2});
    EXPECT_TRUE(outputs.ok());
  }
  EXPECT_TRUE(Environment::Get(3).ok());
  EXPECT_FALSE(Environment::Get(0).ok());
}

}  // namespace
}  // namespace opass::ort
