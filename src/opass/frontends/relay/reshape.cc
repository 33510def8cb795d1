#include "opass/frontends/relay/reshape.h"

namespace opass::frontends::relay {

std::optional<Dims> ReshapedDims(const Dims& from, const Dims& wanted, bool allow_zero) {
  Dims dims = wanted;
  std::optional<std::size_t> open;
  for (std::size_t i = 0; i < dims.size(); ++i) {
    if (dims[i] == 0 && !allow_zero) {
      if (i >= from.size()) return std::nullopt;
      dims[i] = from[i];
    } else if (dims[i] == -1) {
      if (open) return std::nullopt;
      open = i;
      dims[i] = 1;
    } else if (dims[i] < 0) {
      return std::nullopt;
    }
  }
  const auto have = Product(from);
  const auto rest = Product(dims);
  if (!have || !rest) return std::nullopt;
  if (open) {
    if (*rest == 0 || *have % *rest != 0) return std::nullopt;
    dims[*open] = *have / *rest;
  }
  if (!open && *have != *rest) return std::nullopt;
  return dims;
}

}  // namespace opass::frontends::relay
