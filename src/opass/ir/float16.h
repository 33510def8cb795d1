#pragma once

#include <cstdint>

namespace opass::ir {

// The bits of a number in a floating-point format of 16 bits, rounded to the nearest (ties to
// even); too large becomes infinite.
std::uint16_t ToHalfBits(float value);
std::uint16_t ToBfloat16Bits(float value);
float FromHalfBits(std::uint16_t bits);
float FromBfloat16Bits(std::uint16_t bits);

}  // namespace opass::ir
