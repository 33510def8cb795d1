#include "opass/frontends/relay/numbers.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <limits>

namespace opass::frontends::relay {
namespace {

using ir::DataType;

struct ElementType {
  const char* name;
  const char* suffix;  // of literals
  DataType type;
  std::int64_t lowest;  // of integers; 0 and 0 otherwise
  std::int64_t highest;
  double largest;  // finite magnitude of floats
};
template <typename Integer>
constexpr ElementType IntegerType(const char* name, const char* suffix, DataType type) {
  using Limits = std::numeric_limits<Integer>;
  // A uint64 literal above the range of int64 is refused.
  constexpr auto kHighest = static_cast<std::int64_t>(
      Limits::max() > std::uint64_t{INT64_MAX} ? std::uint64_t{INT64_MAX} : Limits::max());
  return {name, suffix, type, static_cast<std::int64_t>(Limits::min()), kHighest, 0};
}
constexpr ElementType kTypes[] = {
    {"float32", "f", DataType::kFloat, 0, 0, std::numeric_limits<float>::max()},
    {"float32", "f32", DataType::kFloat, 0, 0, std::numeric_limits<float>::max()},
    {"float16", "f16", DataType::kFloat16, 0, 0, 65504},
    {"float64", "f64", DataType::kDouble, 0, 0, std::numeric_limits<double>::max()},
    {"bfloat16", "bf16", DataType::kBfloat16, 0, 0, 3.3895313892515355e38},
    {"bool", "bool", DataType::kBool, 0, 1, 0},
    {"int32", "", DataType::kInt32, INT32_MIN, INT32_MAX, 0},
    {"int32", "i32", DataType::kInt32, INT32_MIN, INT32_MAX, 0},
    IntegerType<std::int8_t>("int8", "i8", DataType::kInt8),
    IntegerType<std::int16_t>("int16", "i16", DataType::kInt16),
    IntegerType<std::int64_t>("int64", "i64", DataType::kInt64),
    IntegerType<std::uint8_t>("uint8", "u8", DataType::kUint8),
    IntegerType<std::uint16_t>("uint16", "u16", DataType::kUint16),
    IntegerType<std::uint32_t>("uint32", "u32", DataType::kUint32),
    IntegerType<std::uint64_t>("uint64", "u64", DataType::kUint64),
};

template <typename Value>
bool Parse(std::string_view text, Value& value) {
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  return code == std::errc() && end == text.data() + text.size();
}

}  // namespace

std::optional<DataType> FindElementType(std::string_view name) {
  for (const ElementType& type : kTypes) {
    if (type.name == name) return type.type;
  }
  return std::nullopt;
}

std::optional<std::int64_t> ParseDigits(std::string_view text) {
  std::int64_t value = 0;
  if (!Parse(text, value) || value < 0) return std::nullopt;
  return value;
}

Number ParseNumber(std::string_view text, bool is_negative) {
  // The exponent's e is the one letter that a number itself may hold.
  std::size_t split = text.find_first_not_of("0123456789.e+-");
  if (split == std::string_view::npos) split = text.size();
  const std::string digits = (is_negative ? "-" : "") + std::string(text.substr(0, split));
  std::string_view suffix = text.substr(split);
  const bool has_fraction = digits.find_first_of(".e") != std::string::npos;
  if (has_fraction && suffix.empty()) suffix = "f";
  for (const ElementType& type : kTypes) {
    const bool is_float = type.largest > 0;
    if (suffix != type.suffix || (has_fraction && !is_float)) continue;
    const std::string too_large = fmt::format("{}{} does not fit {}", digits, suffix, type.name);
    Number number;
    number.literal.type = type.type;
    if (is_float) {
      double value = 0;
      if (!Parse(digits, value) || std::abs(value) > type.largest) return {{}, too_large};
      number.literal.value = value;
      return number;
    }
    std::int64_t value = 0;
    if (!Parse(digits, value) || value < type.lowest || value > type.highest) {
      return {{}, too_large};
    }
    number.literal.value = value;
    return number;
  }
  return {{}, fmt::format("'{}' is no number", text)};
}

}  // namespace opass::frontends::relay
