#include <algorithm>
#include <array>

#include "opass/allocators/allocator.h"

namespace opass::allocators {

#define X(name) extern const Allocator name;
#include "allocators_list.inc"
#undef X

std::span<const Allocator> Allocators() {
  // Made at the first call: the entries are constants of other files.
#define X(name) name,
  static const auto kAllocators = std::to_array<Allocator>({
#include "allocators_list.inc"
  });
#undef X
  return kAllocators;
}

const Allocator* FindAllocator(std::string_view name) {
  const std::span<const Allocator> all = Allocators();
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const Allocator& a) { return a.name == name; });
  return found == all.end() ? nullptr : &*found;
}

}  // namespace opass::allocators
