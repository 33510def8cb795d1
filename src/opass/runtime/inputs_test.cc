#include "opass/runtime/inputs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>

#include "opass/ort/model_builder.h"
#include "opass/runtime/elements.h"
#include "opass/runtime/npy.h"
#include "opass/runtime/random.h"

namespace opass::runtime {
namespace {

using ir::DataType;
using ir::Type;

TEST(RandomTest, GivesThePublishedSequence) {
  Random random(1234567);
  EXPECT_EQ(random.Next(), 6457827717110365317U);
  EXPECT_EQ(random.Next(), 3203168211198807973U);
}

TEST(MakeTensorTest, FloatsAreAboutNormal) {
  const auto tensor = MakeTensor(Type::Tensor(DataType::kFloat, {10000}), 3);
  const auto values = *ToDoubles(*tensor);
  double sum = 0;
  double squares = 0;
  for (const double v : values) sum += v, squares += v * v;
  EXPECT_NEAR(sum / 10000, 0, 0.05);
  EXPECT_NEAR(squares / 10000, 1, 0.05);
  EXPECT_TRUE(ir::SameContent(*tensor, *MakeTensor(Type::Tensor(DataType::kFloat, {10000}), 3)));
  EXPECT_FALSE(ir::SameContent(*tensor, *MakeTensor(Type::Tensor(DataType::kFloat, {10000}), 4)));
}

TEST(MakeTensorTest, EveryTypeHasTheRightSizeAndModestNumbers) {
  for (int i = 1; i <= ir::kMaxDataType; ++i) {
    const Type type = Type::Tensor(static_cast<DataType>(i), {3, 3});
    const auto tensor = MakeTensor(type, 1);
    ASSERT_NE(tensor, nullptr) << i;
    if (type.elem == DataType::kString) {
      EXPECT_EQ(tensor->strings.size(), 9U);
      continue;
    }
    EXPECT_EQ(static_cast<std::int64_t>(tensor->bytes.size()), type.SizeBytes()) << i;
    const auto values = ToDoubles(*tensor);
    for (const double v : *values) EXPECT_LE(std::fabs(v), 4) << ir::Name(type.elem);
  }
  Type unknown = Type::Tensor(DataType::kFloat, {3});
  (*unknown.shape)[0] = {-1, "N"};
  EXPECT_EQ(MakeTensor(unknown, 1), nullptr);
}

TEST(MakeTensorTest, RangesHold) {
  const auto ids = MakeTensor(Type::Tensor(DataType::kInt64, {1000}), 1, InputRange{5, 8});
  const auto values = *ir::AsInt64s(*ids);
  EXPECT_EQ(*std::ranges::min_element(values), 5);
  EXPECT_EQ(*std::ranges::max_element(values), 7);
  const auto reals = MakeTensor(Type::Tensor(DataType::kFloat, {1000}), 1, InputRange{0, 255});
  const auto pixels = *ToDoubles(*reals);
  EXPECT_GE(*std::ranges::min_element(pixels), 0);
  EXPECT_LT(*std::ranges::max_element(pixels), 255);
  EXPECT_GT(*std::ranges::max_element(pixels), 250);
  const auto fixed = MakeTensor(Type::Tensor(DataType::kInt32, {9}), 1, InputRange{6, 6});
  EXPECT_EQ(ir::AsInt64s(*fixed), std::vector<std::int64_t>(9, 6));
}

TEST(InputFlagsTest, SplitAtTheLastEqualsSign) {
  InputOptions options;
  EXPECT_TRUE(ParseInputFlag("a=b:0/c=cat.npy", options).ok());
  EXPECT_EQ(options.files.at("a=b:0/c"), "cat.npy");
  EXPECT_TRUE(ParseInputRangeFlag("ids:0=-1.5:2e3", options).ok());
  EXPECT_EQ(options.ranges.at("ids:0").low, -1.5);
  EXPECT_EQ(options.ranges.at("ids:0").high, 2000);
}

TEST(InputFlagsTest, FaultsShowTheForm) {
  InputOptions options;
  for (const char* text : {"x", "=f.npy", "x=", "x=f.txt"}) {
    const Status status = ParseInputFlag(text, options);
    ASSERT_FALSE(status.ok()) << text;
    EXPECT_EQ(status.error().where, "--input");
  }
  for (const char* text : {"x", "x=", "x=1", "x=2:1", "x=a:b", "x=0:nan", "x=0:1e300", "=0:1"}) {
    const Status status = ParseInputRangeFlag(text, options);
    ASSERT_FALSE(status.ok()) << text;
    EXPECT_NE(status.error().hint.find("--input-range"), std::string::npos);
  }
}

TEST(MakeInputsTest, ReadsFilesAndChecksThem) {
  ort::ModelBuilder builder;
  builder.Input("x", {2});
  builder.Input("y", {2});
  const std::string path = testing::TempDir() + "/opass_input.npy";
  std::ofstream(path) << *FormatNpy(*ir::Tensor::FromFloats({2}, {5, 6}));
  InputOptions options;
  options.files["x"] = path;
  const auto inputs = MakeInputs(builder.model().graph, options);
  ASSERT_TRUE(inputs.ok()) << inputs.error().ToString();
  EXPECT_EQ(*ir::AsDoubles(*inputs->at("x")), (std::vector<double>{5, 6}));
  EXPECT_EQ(inputs->size(), 2U);

  std::ofstream(path) << *FormatNpy(*ir::Tensor::FromFloats({3}, {5, 6, 7}));
  const auto wrong = MakeInputs(builder.model().graph, options);
  ASSERT_FALSE(wrong.ok());
  EXPECT_NE(wrong.error().message.find("float32[3], input 'x' is float32[2]"), std::string::npos);
}

TEST(MakeInputsTest, EveryFaultIsNamed) {
  ort::ModelBuilder builder;
  Type unknown = Type::Tensor(DataType::kFloat, {3});
  (*unknown.shape)[0] = {-1, "N"};
  builder.Input("x", unknown);
  EXPECT_NE(MakeInputs(builder.model().graph, {}).error().ToString().find("--dim"),
            std::string::npos);
  InputOptions options;
  options.ranges["z"] = {0, 1};
  EXPECT_NE(MakeInputs(builder.model().graph, options).error().ToString().find("inputs are: x"),
            std::string::npos);
  ort::ModelBuilder other;
  Type sequence;
  sequence.kind = Type::Kind::kOther;
  other.Input("s", sequence);
  EXPECT_EQ(MakeInputs(other.model().graph, {}).error().reason, "unsupported-input");
}

// An input's numbers do not depend on what other inputs there are.
TEST(MakeInputsTest, EveryInputHasItsOwnStream) {
  ort::ModelBuilder one;
  one.Input("x", {4});
  ort::ModelBuilder two;
  two.Input("w", {9});
  two.Input("x", {4});
  const auto a = MakeInputs(one.model().graph, {});
  const auto b = MakeInputs(two.model().graph, {});
  EXPECT_TRUE(ir::SameContent(*a->at("x"), *b->at("x")));
}

}  // namespace
}  // namespace opass::runtime
