#pragma once

#include <optional>

#include "opass/frontends/relay/builder.h"

namespace opass::frontends::relay {

// The shape that `wanted` stands for: -1 is what is left over, 0 the size at the same place unless
// zeros are allowed. Nothing when it does not hold exactly the elements of `from`.
std::optional<Dims> ReshapedDims(const Dims& from, const Dims& wanted, bool allow_zero);

}  // namespace opass::frontends::relay
