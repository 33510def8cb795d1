#include "opass/runtime/elements.h"

#include <cmath>
#include <cstdint>
#include <cstring>

#include "opass/ir/float16.h"

namespace opass::runtime {
namespace {

using ir::DataType;

template <typename T, typename Convert>
std::vector<double> Read(const ir::Tensor& tensor, Convert convert) {
  std::vector<double> out(tensor.bytes.size() / sizeof(T));
  for (std::size_t i = 0; i < out.size(); ++i) {
    T bits;
    std::memcpy(&bits, tensor.bytes.data() + i * sizeof(T), sizeof(T));
    out[i] = static_cast<double>(convert(bits));
  }
  return out;
}

template <typename T>
std::vector<double> Read(const ir::Tensor& tensor) {
  return Read<T>(tensor, [](T value) { return value; });
}

// The value of a small float: sign, exponent and mantissa from the top bit down.
struct SmallFloat {
  int exponent_bits;
  int mantissa_bits;
  int bias;
  enum class Specials { kNone, kIeee, kAllOnesIsNan, kMinusZeroIsNan } specials;
};

double Decode(unsigned bits, const SmallFloat& format) {
  const unsigned mantissa_mask = (1U << format.mantissa_bits) - 1U;
  const unsigned exponent_mask = (1U << format.exponent_bits) - 1U;
  const unsigned mantissa = bits & mantissa_mask;
  const unsigned exponent = (bits >> format.mantissa_bits) & exponent_mask;
  const bool negative = (bits >> (format.mantissa_bits + format.exponent_bits) & 1U) != 0;
  using Specials = SmallFloat::Specials;
  if (format.specials == Specials::kMinusZeroIsNan && negative && mantissa + exponent == 0) {
    return NAN;
  }
  if (exponent == exponent_mask) {
    if (format.specials == Specials::kAllOnesIsNan && mantissa == mantissa_mask) return NAN;
    if (format.specials == Specials::kIeee) {
      if (mantissa != 0) return NAN;
      return negative ? -INFINITY : INFINITY;
    }
  }
  const double magnitude =
      exponent == 0 ? std::ldexp(mantissa, 1 - format.bias - format.mantissa_bits)
                    : std::ldexp(mantissa + mantissa_mask + 1,
                                 static_cast<int>(exponent) - format.bias - format.mantissa_bits);
  return negative ? -magnitude : magnitude;
}

constexpr SmallFloat kE4M3FN = {4, 3, 7, SmallFloat::Specials::kAllOnesIsNan};
constexpr SmallFloat kE4M3FNUZ = {4, 3, 8, SmallFloat::Specials::kMinusZeroIsNan};
constexpr SmallFloat kE5M2 = {5, 2, 15, SmallFloat::Specials::kIeee};
constexpr SmallFloat kE5M2FNUZ = {5, 2, 16, SmallFloat::Specials::kMinusZeroIsNan};
constexpr SmallFloat kE2M1 = {2, 1, 1, SmallFloat::Specials::kNone};

std::vector<double> ReadBytes(const ir::Tensor& tensor, const SmallFloat& format) {
  return Read<std::uint8_t>(tensor, [&](std::uint8_t bits) { return Decode(bits, format); });
}

// Two or four elements a byte, the first in the low bits.
std::vector<double> ReadPacked(const ir::Tensor& tensor) {
  const int bits = ir::BitWidth(tensor.type);
  const auto per_byte = static_cast<std::size_t>(8 / bits);
  const bool is_signed = tensor.type == DataType::kInt4 || tensor.type == DataType::kInt2;
  std::vector<double> out(static_cast<std::size_t>(tensor.num_elements()));
  for (std::size_t i = 0; i < out.size(); ++i) {
    const auto byte = std::to_integer<unsigned>(tensor.bytes[i / per_byte]);
    const unsigned field =
        byte >> (i % per_byte * static_cast<std::size_t>(bits)) & ((1U << bits) - 1U);
    const bool negative = is_signed && (field >> (bits - 1)) != 0;
    out[i] = tensor.type == DataType::kFloat4E2M1
                 ? Decode(field, kE2M1)
                 : static_cast<double>(field) - (negative ? static_cast<double>(1U << bits) : 0.0);
  }
  return out;
}

}  // namespace

std::optional<std::vector<double>> ToDoubles(const ir::Tensor& tensor) {
  switch (tensor.type) {
    case DataType::kFloat:
    case DataType::kComplex64:
      return Read<float>(tensor);
    case DataType::kDouble:
    case DataType::kComplex128:
      return Read<double>(tensor);
    case DataType::kFloat16:
      return Read<std::uint16_t>(tensor, ir::FromHalfBits);
    case DataType::kBfloat16:
      return Read<std::uint16_t>(tensor, ir::FromBfloat16Bits);
    case DataType::kInt64:
      return Read<std::int64_t>(tensor);
    case DataType::kUint64:
      return Read<std::uint64_t>(tensor);
    case DataType::kInt32:
      return Read<std::int32_t>(tensor);
    case DataType::kUint32:
      return Read<std::uint32_t>(tensor);
    case DataType::kInt16:
      return Read<std::int16_t>(tensor);
    case DataType::kUint16:
      return Read<std::uint16_t>(tensor);
    case DataType::kInt8:
      return Read<std::int8_t>(tensor);
    case DataType::kUint8:
    case DataType::kBool:
      return Read<std::uint8_t>(tensor);
    case DataType::kFloat8E4M3FN:
      return ReadBytes(tensor, kE4M3FN);
    case DataType::kFloat8E4M3FNUZ:
      return ReadBytes(tensor, kE4M3FNUZ);
    case DataType::kFloat8E5M2:
      return ReadBytes(tensor, kE5M2);
    case DataType::kFloat8E5M2FNUZ:
      return ReadBytes(tensor, kE5M2FNUZ);
    case DataType::kFloat8E8M0:
      return Read<std::uint8_t>(tensor, [](std::uint8_t bits) {
        return bits == 255 ? NAN : std::ldexp(1.0, bits - 127);
      });
    case DataType::kInt4:
    case DataType::kUint4:
    case DataType::kInt2:
    case DataType::kUint2:
    case DataType::kFloat4E2M1:
      return ReadPacked(tensor);
    case DataType::kUndefined:
    case DataType::kString:
      return std::nullopt;
  }
  return std::nullopt;
}

}  // namespace opass::runtime
