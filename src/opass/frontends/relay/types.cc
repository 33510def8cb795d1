// Operators that change or ask the element type.
#include "opass/frontends/relay/operators.h"

namespace opass::frontends::relay {
namespace {

using ir::DataType;

Item Cast(Call& call) {
  const DataType type = call.Type("dtype", call.ElementOf(0));
  if (call.failed()) return {};
  return call.builder().Add("Cast", {call.argument(0)}, type, call.DimsOf(0),
                            {{"to", static_cast<std::int64_t>(type)}});
}

// The second argument is read for its type alone, and is read nevertheless: a pass may cut that.
Item CastLike(Call& call) {
  return call.builder().Add("CastLike", {call.argument(0), call.argument(1)}, call.ElementOf(1),
                            call.DimsOf(0));
}

constexpr Operator kRows[] = {
    {"cast", 1, 1, Cast},
    {"cast_like", 2, 2, CastLike},
};

}  // namespace

std::span<const Operator> TypeOperators() { return kRows; }

}  // namespace opass::frontends::relay
