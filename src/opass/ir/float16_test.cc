#include "opass/ir/float16.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>

namespace opass::ir {
namespace {

TEST(Float16Test, HalvesRoundToNearestEven) {
  EXPECT_EQ(ToHalfBits(1.0F), 0x3c00);
  EXPECT_EQ(ToHalfBits(-2.0F), 0xc000);
  EXPECT_EQ(ToHalfBits(65504.0F), 0x7bff);
  EXPECT_EQ(ToHalfBits(65520.0F), 0x7c00);
  EXPECT_EQ(ToHalfBits(1.0F + 0x1p-11F), 0x3c00);  // a tie: to even
  EXPECT_EQ(ToHalfBits(1.0F + 0x3p-11F), 0x3c02);  // a tie: to even
  EXPECT_EQ(ToHalfBits(2.0F - 0x1p-12F), 0x4000);  // carries into the exponent
  EXPECT_EQ(ToHalfBits(0x1p-24F), 0x0001);
  EXPECT_EQ(ToHalfBits(0.0F), 0x0000);
  EXPECT_EQ(ToBfloat16Bits(1.0F), 0x3f80);
  EXPECT_EQ(ToBfloat16Bits(1.0F + 0x1p-8F), 0x3f80);
  for (unsigned bits = 0; bits < 0x10000; ++bits) {
    const auto half = static_cast<std::uint16_t>(bits);
    if (!std::isnan(FromHalfBits(half))) {
      EXPECT_EQ(ToHalfBits(FromHalfBits(half)), half);
    }
    if (!std::isnan(FromBfloat16Bits(half))) {
      EXPECT_EQ(ToBfloat16Bits(FromBfloat16Bits(half)), half);
    }
  }
}

}  // namespace
}  // namespace opass::ir
