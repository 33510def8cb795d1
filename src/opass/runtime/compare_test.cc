#include "opass/runtime/compare.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "opass/runtime/elements.h"

namespace opass::runtime {
namespace {

using ir::DataType;
using ir::Tensor;

TensorComparison Floats(const std::vector<float>& a, const std::vector<float>& b) {
  const auto n = static_cast<std::int64_t>(a.size());
  return CompareTensors("t", *Tensor::FromFloats({n}, a),
                        *Tensor::FromFloats({static_cast<std::int64_t>(b.size())}, b));
}

TEST(CompareTest, FindsTheWorstElement) {
  const auto result = Floats({1, 2, -4}, {1, 2.5F, -5});
  EXPECT_TRUE(result.same_type);
  EXPECT_FALSE(result.bit_equal);
  EXPECT_EQ(result.max_abs_error, 1);
  EXPECT_EQ(result.max_rel_error, 0.25);
  EXPECT_EQ(result.worst_index, 2);
  EXPECT_EQ(result.largest, 4);
}

TEST(CompareTest, NanEqualsNanAndNothingElse) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_TRUE(Floats({nan, 1}, {std::copysign(nan, -1.0F), 1}).bit_equal);
  EXPECT_EQ(Floats({nan, 1}, {nan, 1}).max_abs_error, 0);
  EXPECT_EQ(Floats({nan, 1}, {1, 1}).max_abs_error, INFINITY);
  EXPECT_EQ(Floats({INFINITY, 1}, {-INFINITY, 1}).max_abs_error, INFINITY);
  EXPECT_TRUE(Floats({INFINITY, 1}, {INFINITY, 1}).bit_equal);
}

TEST(CompareTest, ZerosOfBothSignsDifferInBitsOnly) {
  const auto result = Floats({0.0F, 2}, {-0.0F, 2});
  EXPECT_FALSE(result.bit_equal);
  EXPECT_EQ(result.max_abs_error, 0);
}

TEST(CompareTest, TypesAndShapesAreTold) {
  EXPECT_EQ(Floats({1}, {1, 2}).mismatch, "float32[1] against float32[2]");
  const auto result =
      CompareTensors("t", *Tensor::FromFloats({1}, {1}), *Tensor::FromInt64s({1}, {1}));
  EXPECT_FALSE(result.same_type);
  EXPECT_EQ(result.max_abs_error, INFINITY);
}

TEST(CompareTest, SaysWhenAgreementSaysNothing) {
  EXPECT_EQ(Floats({3, 3, 3}, {3, 3, 3}).says_nothing, "constant");
  EXPECT_EQ(Floats({0, 1, 0}, {0, 1, 0}).says_nothing, "saturated");
  EXPECT_EQ(Floats({0, 1, 0.5F}, {0, 1, 0}).says_nothing, "");
  EXPECT_EQ(Floats({3}, {3}).says_nothing, "");
}

TEST(CompareTest, StringsDifferOrNot) {
  Tensor a;
  a.type = DataType::kString;
  a.dims = {2};
  a.strings = {"x", "y"};
  Tensor b = a;
  EXPECT_TRUE(CompareTensors("t", a, b).bit_equal);
  b.strings[1] = "z";
  const auto result = CompareTensors("t", a, b);
  EXPECT_FALSE(result.bit_equal);
  EXPECT_EQ(result.worst_index, 1);
}

TEST(CompareTest, TheWorstOfAll) {
  Comparison all;
  EXPECT_EQ(all.worst(), nullptr);
  EXPECT_EQ(all.max_abs_error(), 0);
  all.tensors = {Floats({1}, {1}), Floats({1}, {2}), Floats({1}, {1.5F})};
  EXPECT_EQ(all.worst(), &all.tensors[1]);
  EXPECT_FALSE(all.bit_equal());
  EXPECT_TRUE(all.same_types());
  EXPECT_EQ(all.max_rel_error(), 1);
}

TEST(CompareTest, TheBoundOfReassociation) {
  EXPECT_TRUE(WithinReassociation(Floats({10, 1}, {10.0005F, 1}), DataType::kFloat));
  EXPECT_FALSE(WithinReassociation(Floats({10, 1}, {10.002F, 1}), DataType::kFloat));
  EXPECT_FALSE(WithinReassociation(Floats({10}, {10, 1}), DataType::kFloat));
  EXPECT_FALSE(WithinReassociation(Floats({1e-5F}, {2e-5F}), DataType::kFloat));
  EXPECT_TRUE(WithinReassociation(Floats({1e-5F}, {2e-5F}), DataType::kFloat, 1));
  const auto bytes = [](const std::string& a, const std::string& b) {
    return CompareTensors("t", *Tensor::Make(DataType::kUint8, {1}, a),
                          *Tensor::Make(DataType::kUint8, {1}, b));
  };
  EXPECT_TRUE(WithinReassociation(bytes("\7", "\6"), DataType::kUint8));
  EXPECT_FALSE(WithinReassociation(bytes("\7", "\5"), DataType::kUint8));
  const auto ids =
      CompareTensors("t", *Tensor::FromInt64s({1}, {7}), *Tensor::FromInt64s({1}, {8}));
  EXPECT_FALSE(WithinReassociation(ids, DataType::kInt64));
}

TEST(ElementsTest, SmallFormatsDecode) {
  const auto decode = [](DataType type, const std::string& bytes, std::int64_t count) {
    return *ToDoubles(*Tensor::Make(type, {count}, bytes));
  };
  using Doubles = std::vector<double>;
  EXPECT_EQ(decode(DataType::kFloat8E4M3FN, "\x38\xb8\x7e\x01", 4), (Doubles{1, -1, 448, 0x1p-9}));
  EXPECT_TRUE(std::isnan(decode(DataType::kFloat8E4M3FN, "\x7f", 1)[0]));
  EXPECT_EQ(decode(DataType::kFloat8E4M3FNUZ, "\x40\x7f", 2), (Doubles{1, 240}));
  EXPECT_TRUE(std::isnan(decode(DataType::kFloat8E4M3FNUZ, "\x80", 1)[0]));
  EXPECT_EQ(decode(DataType::kFloat8E5M2, "\x3c\x7b\x7c", 3), (Doubles{1, 57344, INFINITY}));
  EXPECT_EQ(decode(DataType::kFloat8E8M0, "\x7f\x80", 2), (Doubles{1, 2}));
  EXPECT_EQ(decode(DataType::kInt4, "\xf1\x08", 3), (Doubles{1, -1, -8}));
  EXPECT_EQ(decode(DataType::kUint4, "\xf1\x08", 3), (Doubles{1, 15, 8}));
  EXPECT_EQ(decode(DataType::kFloat4E2M1, "\x72\x0f", 3), (Doubles{1, 6, -6}));
  EXPECT_EQ(decode(DataType::kUint2, "\xe4", 4), (Doubles{0, 1, 2, 3}));
  EXPECT_EQ(decode(DataType::kInt2, "\xe4", 4), (Doubles{0, 1, -2, -1}));
}

}  // namespace
}  // namespace opass::runtime
