#include <algorithm>
#include <limits>

#include "opass/allocators/exact/fit_search.h"

// The children of a node of FitSearch.
namespace opass::allocators::exact_offsets {
namespace {

std::size_t Index(std::int32_t i) { return static_cast<std::size_t>(i); }

}  // namespace

bool FitSearch::Covers(std::int32_t buffer, std::int32_t section) const {
  return instance_.first[Index(buffer)] <= section && section < instance_.last[Index(buffer)];
}

std::int64_t FitSearch::Loss(const FitState& before, const FitState& after, const Part& part,
                             std::int32_t capacity) const {
  if (settings_->loss_weight == 0) return 0;
  std::int64_t loss = 0;
  for (std::int32_t s = part.low; s < part.high; ++s) {
    if (after.rest[Index(s)] == 0) continue;
    const std::int64_t had = capacity - before.floor[Index(s)] - before.rest[Index(s)];
    const std::int64_t has = capacity - after.floor[Index(s)] - after.rest[Index(s)];
    if (had != has) loss += (had - has) * 1024 / (had + 1);
  }
  return loss * settings_->loss_weight;
}

// Two layouts that differ in the order of buffers of one lifetime stacked directly, or by swapping
// identical ones, stand for each other. Among all solutions in which everything rests on something,
// that with the least offsets, compared from buffer 0 on, is never cut off: both rules use the
// order of the numbers.
bool FitSearch::IsMirrored(const FitState& state, std::int32_t buffer) const {
  if (!settings_->use_symmetry) return false;
  const std::int32_t head = state.head[Index(buffer)];
  for (const std::int32_t top : state.tops) {
    if (buffer < top && instance_.family[Index(buffer)] == instance_.family[Index(top)] &&
        offsets_[Index(top)] + instance_.size[Index(top)] == head) {
      return true;
    }
  }
  for (const std::int32_t other : state.buffers) {
    if (other < buffer && instance_.family[Index(other)] == instance_.family[Index(buffer)] &&
        instance_.size[Index(other)] == instance_.size[Index(buffer)]) {
      return true;
    }
  }
  return false;
}

// Keeps those on which something can still be put directly.
void FitSearch::UpdateTops(const FitState& before, std::int32_t placed, FitState& state) const {
  state.tops.clear();
  if (!settings_->use_symmetry) return;
  const auto matters = [&](std::int32_t top, std::int32_t end) {
    return std::any_of(state.buffers.begin(), state.buffers.end(), [&](std::int32_t b) {
      return b < top && instance_.family[Index(b)] == instance_.family[Index(top)] &&
             state.head[Index(b)] == end;
    });
  };
  for (const std::int32_t top : before.tops) {
    const std::int32_t end = offsets_[Index(top)] + instance_.size[Index(top)];
    if ((placed < 0 || !instance_.Meets(top, placed)) && matters(top, end)) {
      state.tops.push_back(top);
    }
  }
  if (placed < 0) return;
  const std::int32_t end = before.head[Index(placed)] + instance_.size[Index(placed)];
  if (matters(placed, end)) {
    state.tops.insert(std::upper_bound(state.tops.begin(), state.tops.end(), placed), placed);
  }
}

bool FitSearch::AddBuffers(Frame& frame, const Part& part, std::int32_t capacity,
                           std::int32_t section) {
  const FitState& state = frame.state;
  const std::int32_t floor = state.floor[Index(section)];
  const auto num_buffers = static_cast<std::int64_t>(instance_.num_buffers());
  for (const std::int32_t b : state.buffers) {
    if (!Covers(b, section) || state.head[Index(b)] != floor || IsMirrored(state, b)) continue;
    if (state.buffers.size() == 1) {
      offsets_[Index(b)] = floor;
      return true;
    }
    if (frame.states.size() <= frame.children.size()) frame.states.emplace_back();
    FitState& next = frame.states[frame.children.size()];
    next.CopyFrom(state, part);
    next.buffers.clear();
    for (const std::int32_t other : state.buffers) {
      if (other != b) next.buffers.push_back(other);
    }
    const Part changed{instance_.first[Index(b)], instance_.last[Index(b)]};
    for (std::int32_t s = changed.low; s < changed.high; ++s) {
      next.floor[Index(s)] = floor + instance_.size[Index(b)];
    }
    if (!Propagate(instance_, part, changed, capacity, next)) continue;
    UpdateTops(state, b, next);
    const std::int64_t score = Loss(state, next, part, capacity) +
                               settings_->rank[Index(b)] * std::int64_t{10240} / num_buffers;
    frame.children.push_back({score, b, frame.children.size()});
  }
  return false;
}

// Nothing covers the point: the lowest buffer over the section rests on a floor above, or on a
// buffer that is not over the section.
void FitSearch::AddWaste(Frame& frame, const Part& part, std::int32_t capacity,
                         std::int32_t section) {
  const FitState& state = frame.state;
  const std::int32_t floor = state.floor[Index(section)];
  constexpr std::int32_t kNone = std::numeric_limits<std::int32_t>::max();
  std::int32_t raised = kNone;
  for (const std::int32_t b : state.buffers) {
    if (!Covers(b, section)) continue;
    std::int32_t start = state.head[Index(b)];
    if (start == floor) {
      start = kNone;
      for (const std::int32_t under : state.buffers) {
        if (Covers(under, section) || !instance_.Meets(under, b)) continue;
        start = std::min(start, state.head[Index(under)] + instance_.size[Index(under)]);
      }
      if (start <= floor) start = floor + 1;
    }
    raised = std::min(raised, start);
  }
  if (raised == kNone || raised > capacity - state.rest[Index(section)]) return;
  if (frame.states.size() <= frame.children.size()) frame.states.emplace_back();
  FitState& next = frame.states[frame.children.size()];
  next.CopyFrom(state, part);
  next.buffers = state.buffers;
  next.floor[Index(section)] = raised;
  if (!Propagate(instance_, part, {section, section + 1}, capacity, next)) return;
  UpdateTops(state, -1, next);
  const std::int64_t last = std::numeric_limits<std::int64_t>::max();
  const std::int64_t score =
      settings_->waste_last ? last : Loss(state, next, part, capacity) + 10240;
  frame.children.push_back({score, -1, frame.children.size()});
}

}  // namespace opass::allocators::exact_offsets
