#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "opass/frontends/relay/ast.h"
#include "opass/support/result.h"

namespace opass::frontends::relay {

// "float32" -> kFloat; nothing for names of no element type that Relay has.
std::optional<ir::DataType> FindElementType(std::string_view name);

// Decimal digits alone, up to the range of int64.
std::optional<std::int64_t> ParseDigits(std::string_view text);

// A number as the text format writes it: the suffix is the type (none: int32, or float32 with a
// fraction; f: float32; else f16, f32, f64, bf16, i8 to i64, u8 to u64). What is wrong with it
// otherwise: no number, or one that its type does not hold.
struct Number {
  Literal literal;
  std::string problem;  // empty: the literal is there
};
Number ParseNumber(std::string_view text, bool is_negative);

}  // namespace opass::frontends::relay
