#include "opass/allocators/exact/fit_search.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

namespace opass::allocators::exact_offsets {
namespace {

std::size_t Index(std::int32_t i) { return static_cast<std::size_t>(i); }

constexpr std::size_t kRefutedBytes = std::size_t{24} << 20;

}  // namespace

FitSearch::FitSearch(const Instance& instance, const Stop* stop)
    : instance_(instance),
      stop_(stop),
      refuted_(instance.num_buffers(),
               Index(instance.num_sections) / 2 + instance.num_buffers() / 16 + 4, kRefutedBytes),
      offsets_(instance.num_buffers(), 0),
      options_(Index(instance.num_sections), 0),
      failures_(Index(instance.num_sections), 0) {}

Answer FitSearch::Run(std::int32_t capacity, const FitSettings& settings, std::uint64_t max_nodes) {
  if (capacity < instance_.max_load) return Answer::kDoesNotFit;
  settings_ = &settings;
  narrow_ = capacity < 65536;
  aborted_ = false;
  max_nodes_ = max_nodes > ~nodes_ ? ~std::uint64_t{0} : nodes_ + max_nodes;
  FitState& state = FrameAt(0).state;
  state.floor.assign(Index(instance_.num_sections), 0);
  state.rest = instance_.load;
  state.head.assign(instance_.num_buffers(), 0);
  state.buffers.resize(instance_.num_buffers());
  std::iota(state.buffers.begin(), state.buffers.end(), 0);
  state.tops.clear();
  if (Solve(0, {0, instance_.num_sections}, capacity)) return Answer::kFits;
  return aborted_ ? Answer::kUnknown : Answer::kDoesNotFit;
}

FitSearch::Frame& FitSearch::FrameAt(std::size_t depth) {
  while (frames_.size() <= depth) frames_.emplace_back();
  return frames_[depth];
}

bool FitSearch::Covers(std::int32_t buffer, std::int32_t section) const {
  return instance_.first[Index(buffer)] <= section && section < instance_.last[Index(buffer)];
}

bool FitSearch::Solve(std::size_t depth, Part part, std::int32_t capacity) {
  Frame& frame = FrameAt(depth);
  capacity = LiftFullWidth(frame.state, part, capacity);
  if (frame.state.buffers.empty()) return true;
  Split(frame, part, capacity);
  const Part& only = frame.parts.front();
  if (frame.parts.size() == 1 && only.low == part.low && only.high == part.high) {
    return Branch(depth, part, capacity);
  }
  return SolveParts(depth, capacity);
}

// A buffer that lives in the whole part can be pulled out of any solution and, when all above it
// has fallen by its size, be put on top. Its head is the highest of the part, so the test of
// Propagate has made sure that it fits there. Returns the capacity left below.
std::int32_t FitSearch::LiftFullWidth(FitState& state, const Part& part, std::int32_t capacity) {
  const auto lift = [&](std::int32_t b) {
    if (instance_.first[Index(b)] > part.low || instance_.last[Index(b)] < part.high) return false;
    capacity -= instance_.size[Index(b)];
    offsets_[Index(b)] = capacity;
    for (std::int32_t s = part.low; s < part.high; ++s) {
      state.rest[Index(s)] -= instance_.size[Index(b)];
    }
    return true;
  };
  if (std::erase_if(state.buffers, lift) > 0) {
    // What falls may land where the order of equal lifetimes forbids it.
    state.tops.clear();
  }
  return capacity;
}

// Into parts that no buffer crosses, the one with the least slack first.
void FitSearch::Split(Frame& frame, const Part& part, std::int32_t capacity) {
  const FitState& state = frame.state;
  std::vector<std::int32_t>& reach = options_;  // per section: the furthest end of its births
  std::fill(reach.begin() + part.low, reach.begin() + part.high, 0);
  for (const std::int32_t b : state.buffers) {
    std::int32_t& end = reach[Index(instance_.first[Index(b)])];
    end = std::max(end, instance_.last[Index(b)]);
  }
  frame.parts.clear();
  std::int32_t end = 0;
  for (std::int32_t s = part.low; s < part.high; ++s) {
    if (reach[Index(s)] == 0) continue;
    if (s >= end) frame.parts.push_back({s, s});
    end = std::max(end, reach[Index(s)]);
    frame.parts.back().high = end;
  }
  if (frame.parts.size() < 2) return;
  const auto slack = [&](const Part& some) {
    std::int32_t least = capacity;
    for (std::int32_t s = some.low; s < some.high; ++s) {
      least = std::min(least, capacity - state.floor[Index(s)] - state.rest[Index(s)]);
    }
    return least;
  };
  std::stable_sort(frame.parts.begin(), frame.parts.end(),
                   [&](const Part& a, const Part& b) { return slack(a) < slack(b); });
}

bool FitSearch::SolveParts(std::size_t depth, std::int32_t capacity) {
  Frame& frame = FrameAt(depth);
  FitState& below = FrameAt(depth + 1).state;
  const auto inside = [&](const Part& part, std::int32_t b) {
    return instance_.first[Index(b)] >= part.low && instance_.last[Index(b)] <= part.high;
  };
  for (const Part& part : frame.parts) {
    below.CopyFrom(frame.state, part);
    below.buffers.clear();
    for (const std::int32_t b : frame.state.buffers) {
      if (inside(part, b)) below.buffers.push_back(b);
    }
    std::erase_if(below.tops, [&](std::int32_t b) { return !inside(part, b); });
    if (!Solve(depth + 1, part, capacity)) return false;
  }
  return true;
}

bool FitSearch::OutOfBudget(std::size_t depth) {
  // Deep recursion happens only where much slack is wasted bit by bit.
  const std::size_t max_depth = 4 * instance_.num_buffers() + 1000;
  aborted_ = aborted_ || nodes_ >= max_nodes_ || depth > max_depth ||
             (stop_ != nullptr && nodes_ % 64 == 0 && stop_->Asked());
  return aborted_;
}

bool FitSearch::Branch(std::size_t depth, const Part& part, std::int32_t capacity) {
  if (OutOfBudget(depth)) return false;
  ++nodes_;
  Frame& frame = FrameAt(depth);
  MakeKey(frame, part, capacity);
  if (refuted_.Has(frame.key)) return false;
  const std::int32_t section = ChooseSection(frame.state, part, capacity);
  frame.children.clear();
  if (AddBuffers(frame, part, capacity, section)) return true;
  AddWaste(frame, part, capacity, section);
  std::stable_sort(frame.children.begin(), frame.children.end(),
                   [](const Child& a, const Child& b) { return a.score < b.score; });
  for (const Child& child : frame.children) {
    std::swap(FrameAt(depth + 1).state, frame.states[child.state]);
    if (child.buffer >= 0) offsets_[Index(child.buffer)] = frame.state.floor[Index(section)];
    if (Solve(depth + 1, part, capacity)) return true;
    if (aborted_) return false;
  }
  ++failures_[Index(section)];
  refuted_.Add(frame.key);
  return false;
}

// Floors as distances to the capacity, so that the state is known again under anything that was
// put on top, and at other capacities.
void FitSearch::MakeKey(Frame& frame, const Part& part, std::int32_t capacity) const {
  const FitState& state = frame.state;
  RefutedStates::Key& key = frame.key;
  key.assign({static_cast<std::uint32_t>(part.low),
              static_cast<std::uint32_t>(part.high) * 2 + (narrow_ ? 1 : 0)});
  const std::size_t words = (instance_.num_buffers() + 31) / 32;
  key.resize(2 + words, 0);
  for (const std::int32_t b : state.buffers) key[2 + Index(b) / 32] |= 1U << (Index(b) % 32);
  const auto room = [&](std::int32_t s) {
    return static_cast<std::uint32_t>(capacity - state.floor[Index(s)]);
  };
  for (std::int32_t s = part.low; s < part.high; s += narrow_ ? 2 : 1) {
    const bool two = narrow_ && s + 1 < part.high;
    key.push_back(two ? room(s) | room(s + 1) << 16 : room(s));
  }
  for (const std::int32_t top : state.tops) key.push_back(static_cast<std::uint32_t>(top));
}

// Per buffer that can start at the point, and one for leaving it empty when there is slack for it:
// the section where that is least, in a flat run of floors between higher ones. There, a buffer
// that starts at the floor lies inside the run, so nothing can be left below it.
std::int32_t FitSearch::ChooseSection(const FitState& state, const Part& part,
                                      std::int32_t capacity) {
  const std::int32_t* floor = state.floor.data();
  std::fill(options_.begin() + part.low, options_.begin() + part.high, 0);
  std::int32_t least_size = std::numeric_limits<std::int32_t>::max();
  for (const std::int32_t b : state.buffers) {
    least_size = std::min(least_size, instance_.size[Index(b)]);
    for (std::int32_t s = instance_.first[Index(b)]; s < instance_.last[Index(b)]; ++s) {
      options_[Index(s)] += state.head[Index(b)] == floor[s] ? 1 : 0;
    }
  }
  const std::int32_t lowest = *std::min_element(floor + part.low, floor + part.high);
  const bool only_lowest = settings_->section_rule == SectionRule::kLowestFloor;
  std::pair<std::int64_t, std::int64_t> best{std::numeric_limits<std::int64_t>::max(), 0};
  std::int32_t chosen = part.low;
  for (std::int32_t low = part.low, high = low; low < part.high; low = high) {
    while (high < part.high && floor[high] == floor[low]) ++high;
    if (low > part.low && floor[low - 1] < floor[low]) continue;
    if (high < part.high && floor[high] < floor[low]) continue;
    if (only_lowest && floor[low] > lowest) continue;
    for (std::int32_t s = low; s < high; ++s) {
      const std::int64_t slack = capacity - floor[s] - state.rest[Index(s)];
      const std::int64_t options = options_[Index(s)] + (slack >= least_size ? 1 : 0);
      std::pair<std::int64_t, std::int64_t> key{options, slack};
      if (settings_->section_rule == SectionRule::kLeastSlack) std::swap(key.first, key.second);
      if (settings_->section_rule == SectionRule::kMostFailures) key.second = -failures_[Index(s)];
      if (key < best) {
        best = key;
        chosen = s;
      }
    }
  }
  return chosen;
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
