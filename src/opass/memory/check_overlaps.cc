#include <fmt/format.h>

#include <algorithm>

#include "opass/memory/check_state.h"
#include "opass/memory/extent_overlaps.h"

namespace opass::memory::check {
namespace {

struct Owned {
  std::vector<Extent> extents;
  std::vector<std::string> names;  // of their owners
};

Owned AllOwned(const State& state) {
  Owned owned;
  for (std::size_t i = 0; i < state.families.size(); ++i) {
    const Family& family = state.families[i];
    const Buffer& root = *state.buffer_of[family.root.index()];
    const bool takes = root.alias_kind == AliasKind::kInPlace;
    owned.extents.push_back({root.offset_bytes, root.offset_bytes + root.size_bytes, family.first,
                             family.last, i,
                             takes ? state.family_of[root.alias_of.index()] : kNoFamily});
    owned.names.push_back(state.name(family.root));
  }
  for (std::size_t i = 0; i < state.workspaces.size(); ++i) {
    const Buffer* buffer = state.workspaces[i];
    if (buffer == nullptr) continue;
    owned.extents.push_back({buffer->offset_bytes, buffer->offset_bytes + buffer->size_bytes,
                             buffer->first, buffer->last, kNoFamily, kNoFamily});
    owned.names.push_back(state.problem.ops[i].name + "#workspace");
  }
  return owned;
}

}  // namespace

// No byte has two owners in one step, but where CheckAliases saw that the old owner dies at the
// step that makes the new one.
Status CheckOverlaps(const State& state) {
  const Owned owned = AllOwned(state);
  const auto overlap = FindOverlap(owned.extents);
  if (!overlap) return {};
  const Extent& a = owned.extents[overlap->earlier];
  const Extent& b = owned.extents[overlap->later];
  return Refuse(fmt::format("its bytes [{}, {}) overlap [{}, {}) of '{}' in step {}", b.begin,
                            b.end, a.begin, a.end, owned.names[overlap->earlier], b.first),
                owned.names[overlap->later]);
}

Status CheckPeak(const State& state) {
  // Per step: what is born less what died before; a takeover counts its output once.
  std::vector<std::int64_t> change(static_cast<std::size_t>(state.num_steps()) + 1, 0);
  std::vector<std::int64_t> shared(change.size(), 0);
  const Owned owned = AllOwned(state);
  for (const Extent& extent : owned.extents) {
    if (extent.first == extent.last) continue;
    change[static_cast<std::size_t>(extent.first)] += extent.end - extent.begin;
    change[static_cast<std::size_t>(extent.last)] -= extent.end - extent.begin;
    if (extent.taken_family != kNoFamily) {
      shared[static_cast<std::size_t>(extent.first)] += extent.end - extent.begin;
    }
  }
  std::int64_t live = 0;
  std::int64_t peak = 0;
  for (std::size_t k = 0; k < change.size(); ++k) {
    live += change[k];
    peak = std::max(peak, live - shared[k]);
  }
  if (state.plan.peak_bytes != peak) {
    return Refuse(fmt::format("peak_bytes is {}, the steps need {}", state.plan.peak_bytes, peak));
  }
  return {};
}

}  // namespace opass::memory::check
