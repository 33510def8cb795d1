#include "opass/targets/target.h"

namespace opass::targets {

#define X(name) extern const Target name;
#include "targets_list.inc"
#undef X

namespace {
#define X(name) &name,
constexpr const Target* kTargets[] = {
#include "targets_list.inc"
};
#undef X
}  // namespace

std::span<const Target* const> Targets() { return kTargets; }

const Target* FindTarget(std::string_view name) {
  for (const Target* target : kTargets) {
    if (target->name == name) return target;
  }
  return nullptr;
}

}  // namespace opass::targets
