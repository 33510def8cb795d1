#include "opass/passes/pass.h"

namespace opass::passes {

#define X(name) extern const Pass name;
#include "passes_list.inc"
#undef X

namespace {
#define X(name) &name,
constexpr const Pass* kPasses[] = {
#include "passes_list.inc"
};
#undef X
}  // namespace

std::span<const Pass* const> Passes() { return kPasses; }

const Pass* FindPass(std::string_view name) {
  for (const Pass* pass : kPasses) {
    if (pass->name == name) return pass;
  }
  return nullptr;
}

}  // namespace opass::passes
