#include "opass/allocators/exact/canonical_search.h"

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <utility>

#include "opass/allocators/exact/parts.h"

namespace opass::allocators::exact_offsets {
namespace {

constexpr std::int32_t kNone = std::numeric_limits<std::int32_t>::max();

std::size_t Index(std::int32_t i) { return static_cast<std::size_t>(i); }

std::vector<std::int32_t> FindTwins(const Instance& instance) {
  std::vector<std::int32_t> twins(instance.num_buffers(), -1);
  std::map<std::pair<std::int32_t, std::int32_t>, std::int32_t> last;  // by family and size
  for (std::size_t b = 0; b < twins.size(); ++b) {
    const auto number = static_cast<std::int32_t>(b);
    const auto [at, is_new] = last.try_emplace({instance.family[b], instance.size[b]}, number);
    if (!is_new) twins[b] = std::exchange(at->second, number);
  }
  return twins;
}

}  // namespace

CanonicalSearch::CanonicalSearch(const Instance& instance, const Stop* stop)
    : instance_(instance),
      stop_(stop),
      offsets_(instance.num_buffers(), 0),
      ranks_(instance.num_buffers(), 0),
      twins_(FindTwins(instance)),
      reach_(Index(instance.num_sections), 0) {}

Answer CanonicalSearch::Run(std::int32_t capacity, const CanonicalSettings& settings,
                            std::uint64_t max_nodes) {
  if (capacity < instance_.max_load) return Answer::kDoesNotFit;
  aborted_ = false;
  max_nodes_ = max_nodes > ~nodes_ ? ~std::uint64_t{0} : nodes_ + max_nodes;
  Start(settings);
  if (Solve(0, {0, instance_.num_sections}, capacity)) return Answer::kFits;
  return aborted_ ? Answer::kUnknown : Answer::kDoesNotFit;
}

CanonicalSearch::Frame& CanonicalSearch::FrameAt(std::size_t depth) {
  while (frames_.size() <= depth) frames_.emplace_back();
  return frames_[depth];
}

void CanonicalSearch::Start(const CanonicalSettings& settings) {
  settings_ = &settings;
  is_placed_.assign(instance_.num_buffers(), false);
  Frame& frame = FrameAt(0);
  FitState& state = frame.state;
  state.floor.assign(Index(instance_.num_sections), 0);
  state.rest = instance_.load;
  state.head.assign(instance_.num_buffers(), 0);
  state.buffers.resize(instance_.num_buffers());
  std::iota(state.buffers.begin(), state.buffers.end(), 0);
  frame.support.assign(instance_.num_buffers(), 0);
  DrawUpOrder(state);
}

double CanonicalSearch::KeyOf(const FitState& state, std::int32_t buffer, OrderKey key) const {
  const double steps = instance_.steps[Index(buffer)];
  switch (key) {
    case OrderKey::kSteps:
      return steps;
    case OrderKey::kArea:
      return steps * instance_.size[Index(buffer)];
    case OrderKey::kSize:
      return instance_.size[Index(buffer)];
    case OrderKey::kLoad:
      break;
  }
  const auto loads = state.rest.begin();
  return *std::max_element(loads + instance_.first[Index(buffer)],
                           loads + instance_.last[Index(buffer)]);
}

// Ranks the buffers of a state.
void CanonicalSearch::DrawUpOrder(const FitState& state) {
  std::vector<std::pair<std::array<double, 3>, std::int32_t>> order;
  for (const std::int32_t b : state.buffers) {
    std::array<double, 3> keys{};
    for (std::size_t i = 0; i < keys.size(); ++i) keys[i] = -KeyOf(state, b, settings_->keys[i]);
    if (!settings_->factors.empty()) keys[0] *= settings_->factors[Index(b)];
    order.emplace_back(keys, b);
  }
  std::sort(order.begin(), order.end());
  for (std::size_t i = 0; i < order.size(); ++i) {
    ranks_[Index(order[i].second)] = static_cast<std::int32_t>(i);
  }
}

bool CanonicalSearch::Solve(std::size_t depth, const Part& part, std::int32_t capacity) {
  Frame& frame = FrameAt(depth);
  FitState& state = frame.state;
  const std::size_t before = state.buffers.size();
  capacity = LiftFullWidth(instance_, part, capacity, state, offsets_);
  if (state.buffers.empty()) return true;
  if (state.buffers.size() < before) {
    // What was above has fallen, below the heads of those that were to rest on something else.
    for (const std::int32_t b : state.buffers) state.head[Index(b)] = frame.support[Index(b)];
    std::fill(state.floor.begin() + part.low, state.floor.begin() + part.high, 0);
    if (!Propagate(instance_, part, part, capacity, state)) return false;
  }
  SplitIntoParts(instance_, state, part, capacity, reach_, frame.parts);
  const Part& only = frame.parts.front();
  if (frame.parts.size() == 1 && only.low == part.low && only.high == part.high) {
    return Branch(depth, part, capacity);
  }
  return SolveParts(depth, capacity);
}

bool CanonicalSearch::SolveParts(std::size_t depth, std::int32_t capacity) {
  Frame& frame = FrameAt(depth);
  Frame& below = FrameAt(depth + 1);
  const std::vector<std::int32_t>& buffers = frame.state.buffers;
  frame.ranks.clear();
  for (const std::int32_t b : buffers) frame.ranks.push_back(ranks_[Index(b)]);
  for (const Part& part : frame.parts) {
    below.state.CopyFrom(frame.state, part);
    below.support = frame.support;
    below.state.buffers.clear();
    for (const std::int32_t b : buffers) {
      if (LivesWithin(instance_, b, part)) below.state.buffers.push_back(b);
    }
    DrawUpOrder(below.state);
    if (Solve(depth + 1, part, capacity)) continue;
    for (std::size_t i = 0; i < buffers.size(); ++i) ranks_[Index(buffers[i])] = frame.ranks[i];
    return false;
  }
  return true;
}

// The first by head and order of those that can be placed at their head now; -1 when there is none
// or all others could be put below it.
std::int32_t CanonicalSearch::ChooseBuffer(const Frame& frame) const {
  const FitState& state = frame.state;
  std::pair<std::int32_t, std::int32_t> best{kNone, kNone};
  std::int32_t chosen = -1;
  std::int32_t least_top = kNone;
  for (const std::int32_t b : state.buffers) {
    const std::int32_t head = state.head[Index(b)];
    least_top = std::min(least_top, head + instance_.size[Index(b)]);
    if (head > frame.support[Index(b)] || head > best.first) continue;
    const std::int32_t twin = twins_[Index(b)];
    if (settings_->use_symmetry && twin >= 0 && !is_placed_[Index(twin)]) continue;
    const std::pair<std::int32_t, std::int32_t> key{head, ranks_[Index(b)]};
    if (key > best) continue;
    best = key;
    chosen = b;
  }
  return best.first < least_top ? chosen : -1;
}

// Do all sections have room for what is left when it has to lie above `offset`?
bool CanonicalSearch::HasRoomAbove(const FitState& state, const Part& part, std::int32_t capacity,
                                   std::int32_t offset) const {
  const auto rests = state.rest.begin();
  return *std::max_element(rests + part.low, rests + part.high) <= capacity - offset;
}

bool CanonicalSearch::Branch(std::size_t depth, const Part& part, std::int32_t capacity) {
  Frame& frame = FrameAt(depth);
  FitState& state = frame.state;
  for (;;) {
    aborted_ = aborted_ || nodes_ >= max_nodes_ ||
               (stop_ != nullptr && nodes_ % 64 == 0 && stop_->Asked());
    if (aborted_) return false;
    const std::int32_t b = ChooseBuffer(frame);
    if (b < 0 || !HasRoomAbove(state, part, capacity, state.head[Index(b)])) return false;
    ++nodes_;
    if (Place(depth, part, capacity, b)) return true;
    if (aborted_ || !Postpone(state, part, capacity, b)) return false;
  }
}

// At its head; is there a layout for the others?
bool CanonicalSearch::Place(std::size_t depth, const Part& part, std::int32_t capacity,
                            std::int32_t buffer) {
  const Frame& frame = FrameAt(depth);
  const std::int32_t head = frame.state.head[Index(buffer)];
  const std::int32_t top = head + instance_.size[Index(buffer)];
  offsets_[Index(buffer)] = head;
  if (frame.state.buffers.size() == 1) return true;
  Frame& below = FrameAt(depth + 1);
  FitState& next = below.state;
  next.CopyFrom(frame.state, part);
  next.buffers.clear();
  for (const std::int32_t other : frame.state.buffers) {
    if (other != buffer) next.buffers.push_back(other);
  }
  const Part changed{instance_.first[Index(buffer)], instance_.last[Index(buffer)]};
  std::fill(next.floor.begin() + changed.low, next.floor.begin() + changed.high, top);
  if (!Propagate(instance_, part, changed, capacity, next)) return false;
  below.support = frame.support;
  for (const std::int32_t other : next.buffers) {
    std::int32_t& support = below.support[Index(other)];
    if (instance_.Meets(other, buffer)) support = std::max(support, top);
  }
  is_placed_[Index(buffer)] = true;
  const bool fits = Solve(depth + 1, part, capacity);
  is_placed_[Index(buffer)] = false;
  return fits;
}

// It rests on one that is not placed yet: on the lowest of their tops, or above.
bool CanonicalSearch::Postpone(FitState& state, const Part& part, std::int32_t capacity,
                               std::int32_t buffer) const {
  std::int32_t& head = state.head[Index(buffer)];
  std::int32_t least = kNone;
  for (const std::int32_t other : state.buffers) {
    if (other == buffer || !instance_.Meets(buffer, other)) continue;
    const std::int32_t start = std::max(state.head[Index(other)], head);
    least = std::min(least, start + instance_.size[Index(other)]);
  }
  if (least > capacity - instance_.size[Index(buffer)]) return false;
  head = least;
  const Part changed{instance_.first[Index(buffer)], instance_.last[Index(buffer)]};
  return Propagate(instance_, part, changed, capacity, state);
}

}  // namespace opass::allocators::exact_offsets
