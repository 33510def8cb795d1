#include "opass/allocators/exact/fit_search.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

#include "opass/allocators/exact/parts.h"

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

bool FitSearch::Solve(std::size_t depth, Part part, std::int32_t capacity) {
  Frame& frame = FrameAt(depth);
  const std::size_t before = frame.state.buffers.size();
  capacity = LiftFullWidth(instance_, part, capacity, frame.state, offsets_);
  if (frame.state.buffers.empty()) return true;
  // What falls may land where the order of equal lifetimes forbids it.
  if (frame.state.buffers.size() < before) frame.state.tops.clear();
  SplitIntoParts(instance_, frame.state, part, capacity, options_, frame.parts);
  const Part& only = frame.parts.front();
  if (frame.parts.size() == 1 && only.low == part.low && only.high == part.high) {
    return Branch(depth, part, capacity);
  }
  return SolveParts(depth, capacity);
}

bool FitSearch::SolveParts(std::size_t depth, std::int32_t capacity) {
  Frame& frame = FrameAt(depth);
  FitState& below = FrameAt(depth + 1).state;
  for (const Part& part : frame.parts) {
    below.CopyFrom(frame.state, part);
    below.buffers.clear();
    for (const std::int32_t b : frame.state.buffers) {
      if (LivesWithin(instance_, b, part)) below.buffers.push_back(b);
    }
    std::erase_if(below.tops, [&](std::int32_t b) { return !LivesWithin(instance_, b, part); });
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

}  // namespace opass::allocators::exact_offsets
