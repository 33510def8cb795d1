#include <fmt/format.h>

#include <algorithm>

#include "opass/memory/check_state.h"

namespace opass::memory::check {
namespace {

// Bytes that somebody owns for a while.
struct Extent {
  std::int64_t begin = 0;  // bytes, half-open
  std::int64_t end = 0;
  std::int64_t first = 0;  // steps, half-open
  std::int64_t last = 0;
  std::string name;
  std::size_t family = 0;        // none for a workspace
  std::size_t taken_family = 0;  // the family whose bytes it takes over, or none
};

constexpr std::size_t kNone = static_cast<std::size_t>(-1);

std::vector<Extent> Extents(const State& state) {
  std::vector<Extent> extents;
  for (std::size_t i = 0; i < state.families.size(); ++i) {
    const Family& family = state.families[i];
    const Buffer& root = *state.buffer_of[family.root.index()];
    const bool takes = root.alias_kind == AliasKind::kInPlace;
    extents.push_back({root.offset_bytes, root.offset_bytes + root.size_bytes, family.first,
                       family.last, state.name(family.root), i,
                       takes ? state.family_of[root.alias_of.index()] : kNone});
  }
  for (std::size_t i = 0; i < state.workspaces.size(); ++i) {
    const Buffer* buffer = state.workspaces[i];
    if (buffer == nullptr) continue;
    extents.push_back({buffer->offset_bytes, buffer->offset_bytes + buffer->size_bytes,
                       buffer->first, buffer->last, state.problem.ops[i].name + "#workspace", kNone,
                       kNone});
  }
  return extents;
}

}  // namespace

// Every pair that lives at the same time, compared byte range with byte range. Sorted by birth, so
// that the pairs that never meet are left out of the quadratic count.
Status CheckOverlaps(const State& state) {
  std::vector<Extent> extents = Extents(state);
  std::stable_sort(extents.begin(), extents.end(),
                   [](const Extent& a, const Extent& b) { return a.first < b.first; });
  for (std::size_t i = 0; i < extents.size(); ++i) {
    const Extent& a = extents[i];
    for (std::size_t j = i + 1; j < extents.size() && extents[j].first < a.last; ++j) {
      const Extent& b = extents[j];
      const bool both_live = b.first < b.last;
      const bool overlap = std::max(a.begin, b.begin) < std::min(a.end, b.end);  // empty: never
      // A takeover: CheckAliases saw that the old bytes die at the step that makes the new ones.
      const bool declared = (a.family != kNone && b.taken_family == a.family) ||
                            (b.family != kNone && a.taken_family == b.family);
      if (both_live && overlap && !declared) {
        return Refuse(fmt::format("its bytes [{}, {}) overlap [{}, {}) of '{}' in step {}", b.begin,
                                  b.end, a.begin, a.end, a.name, b.first),
                      b.name);
      }
    }
  }
  return {};
}

Status CheckPeak(const State& state) {
  // Per step: what is born less what died before; a takeover counts its output once.
  std::vector<std::int64_t> change(static_cast<std::size_t>(state.num_steps()) + 1, 0);
  std::vector<std::int64_t> shared(change.size(), 0);
  for (const Extent& extent : Extents(state)) {
    if (extent.first == extent.last) continue;
    change[static_cast<std::size_t>(extent.first)] += extent.end - extent.begin;
    change[static_cast<std::size_t>(extent.last)] -= extent.end - extent.begin;
    if (extent.taken_family != kNone) {
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
