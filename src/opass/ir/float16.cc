#include "opass/ir/float16.h"

#include <bit>
#include <cmath>

namespace opass::ir {

std::uint16_t ToBfloat16Bits(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  if (std::isnan(value)) return static_cast<std::uint16_t>((bits >> 16) | 0x40U);
  return static_cast<std::uint16_t>((bits + 0x7fffU + ((bits >> 16) & 1U)) >> 16);
}

float FromBfloat16Bits(std::uint16_t bits) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16);
}

std::uint16_t ToHalfBits(float value) {
  const auto sign =
      static_cast<std::uint16_t>((std::bit_cast<std::uint32_t>(value) >> 16) & 0x8000U);
  const float magnitude = std::fabs(value);
  if (magnitude == 0) return sign;
  if (std::isnan(value)) return sign | 0x7e00U;
  if (magnitude >= 65520.0F) return sign | 0x7c00U;
  int exponent = 0;
  (void)std::frexp(magnitude, &exponent);
  // The distance of neighbours: 2^-10 of the leading bit, 2^-24 among the subnormals.
  const int ulp = exponent - 1 < -14 ? -24 : exponent - 1 - 10;
  const double steps = std::nearbyint(std::ldexp(static_cast<double>(magnitude), -ulp));
  // Adding to the exponent field carries a mantissa that was rounded up to the next power of two.
  const auto field = static_cast<std::uint32_t>(ulp + 24) << 10;
  return static_cast<std::uint16_t>(sign | (field + static_cast<std::uint32_t>(steps)));
}

float FromHalfBits(std::uint16_t bits) {
  const int exponent = (bits >> 10) & 31;
  const int mantissa = bits & 1023;
  float magnitude = 0;
  if (exponent == 31) {
    magnitude = mantissa == 0 ? INFINITY : NAN;
  } else if (exponent == 0) {
    magnitude = std::ldexp(static_cast<float>(mantissa), -24);
  } else {
    magnitude = std::ldexp(static_cast<float>(1024 + mantissa), exponent - 25);
  }
  return (bits & 0x8000U) != 0 ? -magnitude : magnitude;
}

}  // namespace opass::ir
