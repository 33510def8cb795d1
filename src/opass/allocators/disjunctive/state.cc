#include "opass/allocators/disjunctive/state.h"

#include <algorithm>
#include <limits>

namespace opass::allocators::disjunctive {
namespace {

constexpr std::int64_t kMostHeight = std::int64_t{1} << 62;  // of any layout

}  // namespace

State::State(const Instance& instance)
    : instance_(instance),
      conflicts_of_(instance.blocks.size()),
      sections_of_(instance.blocks.size()),
      is_queued_(instance.blocks.size(), false),
      moves_(instance.blocks.size(), 0),
      is_dirty_(instance.sections.size(), false) {
  for (std::uint32_t c = 0; c < instance.conflicts.size(); ++c) {
    conflicts_of_[instance.conflicts[c].a].push_back(c);
    conflicts_of_[instance.conflicts[c].b].push_back(c);
  }
  for (std::uint32_t s = 0; s < instance.sections.size(); ++s) {
    for (const Job& job : instance.sections[s].jobs) {
      std::vector<std::uint32_t>& sections = sections_of_[job.block];
      if (sections.empty() || sections.back() != s) sections.push_back(s);
    }
  }
}

bool State::Start(std::int64_t capacity, bool use_symmetry) {
  Forget();
  trail_.clear();
  least_.clear();
  greatest_.clear();
  sides_.assign(instance_.conflicts.size(), Side::kOpen);
  for (std::uint32_t b = 0; b < instance_.blocks.size(); ++b) {
    least_.push_back(instance_.bases[b].AtLeast(0));
    greatest_.push_back(instance_.bases[b].AtMost(capacity - instance_.size_bytes[b]));
    if (least_[b] > greatest_[b]) return false;
    Touch(b);
  }
  for (std::size_t c = 0; use_symmetry && c < sides_.size(); ++c) {
    // Alike blocks lie apart from each other, the first one below.
    if (instance_.is_of_twins[c] && instance_.conflicts[c].low < 0) SetSide(c, Side::kAbove);
  }
  return Propagate();
}

bool State::Decide(std::size_t conflict, Side side) {
  return SetSide(conflict, side) && Propagate();
}

void State::UndoTo(std::size_t mark) {
  while (trail_.size() > mark) {
    const Change& change = trail_.back();
    if (change.kind == Change::kLeast) least_[change.index] = change.before;
    if (change.kind == Change::kGreatest) greatest_[change.index] = change.before;
    if (change.kind == Change::kSide) sides_[change.index] = Side::kOpen;
    trail_.pop_back();
  }
}

bool State::IsKept(std::size_t conflict) const {
  const Conflict& which = instance_.conflicts[conflict];
  const std::int64_t apart = least_[which.b] - least_[which.a];
  return apart <= which.low || apart >= which.high;
}

std::int64_t State::Room(std::size_t conflict, Side side) const {
  const Conflict& which = instance_.conflicts[conflict];
  return side == Side::kBelow ? which.low - (least_[which.b] - greatest_[which.a])
                              : greatest_[which.b] - least_[which.a] - which.high;
}

bool State::SetSide(std::size_t conflict, Side side) {
  if (sides_[conflict] != Side::kOpen) return sides_[conflict] == side;
  trail_.push_back({Change::kSide, static_cast<std::uint32_t>(conflict), 0});
  sides_[conflict] = side;
  Touch(instance_.conflicts[conflict].a);
  return true;
}

bool State::Raise(std::uint32_t block, std::int64_t base) {
  if (base <= least_[block]) return true;
  trail_.push_back({Change::kLeast, block, least_[block]});
  least_[block] = instance_.bases[block].AtLeast(base);
  Touch(block);
  return least_[block] <= greatest_[block];
}

bool State::Lower(std::uint32_t block, std::int64_t base) {
  if (base >= greatest_[block]) return true;
  trail_.push_back({Change::kGreatest, block, greatest_[block]});
  greatest_[block] = instance_.bases[block].AtMost(base);
  Touch(block);
  return least_[block] <= greatest_[block];
}

void State::Touch(std::uint32_t block) {
  if (!is_queued_[block]) queue_.push_back(block);
  is_queued_[block] = true;
  for (const std::uint32_t s : sections_of_[block]) {
    if (!is_dirty_[s]) dirty_sections_.push_back(s);
    is_dirty_[s] = true;
  }
}

void State::Forget() {
  for (const std::uint32_t b : queue_) is_queued_[b] = false;
  queue_.clear();
  for (const std::uint32_t s : dirty_sections_) is_dirty_[s] = false;
  dirty_sections_.clear();
}

bool State::Propagate() {
  bool fits = PropagateBases();
  for (std::size_t i = 0; fits && i < dirty_sections_.size(); ++i) {
    fits = SectionFits(instance_.sections[dirty_sections_[i]]);
  }
  Forget();
  return fits;
}

bool State::PropagateBases() {
  // Beyond so many moves, blocks may be pushing each other around.
  const std::size_t many = 2 * moves_.size() + 10;
  std::fill(moves_.begin(), moves_.end(), 0);
  bool may_circle = true;
  for (std::size_t i = 0; i < queue_.size(); ++i) {
    const std::uint32_t block = queue_[i];
    is_queued_[block] = false;
    if (may_circle && ++moves_[block] > many) {
      if (HasCircle()) return false;
      may_circle = false;
    }
    work_ += conflicts_of_[block].size();
    if (IsSpent()) return false;
    for (const std::uint32_t c : conflicts_of_[block]) {
      if (!Examine(c)) return false;
    }
    // The queue keeps its head until it is long.
    if (i > 4096) {
      queue_.erase(queue_.begin(), queue_.begin() + static_cast<std::ptrdiff_t>(i) + 1);
      i = ~std::size_t{0};
    }
  }
  queue_.clear();
  return true;
}

bool State::Examine(std::size_t conflict) {
  const Conflict& which = instance_.conflicts[conflict];
  if (sides_[conflict] == Side::kOpen) {
    const bool can_below = Room(conflict, Side::kBelow) >= 0;
    const bool can_above = Room(conflict, Side::kAbove) >= 0;
    if (can_below && can_above) return true;
    if (!can_below && !can_above) return false;
    SetSide(conflict, can_below ? Side::kBelow : Side::kAbove);
  }
  if (sides_[conflict] == Side::kAbove) {
    return Raise(which.b, least_[which.a] + which.high) &&
           Lower(which.a, greatest_[which.b] - which.high);
  }
  return Raise(which.a, least_[which.b] - which.low) &&
         Lower(which.b, greatest_[which.a] + which.low);
}

// Do the sides that are taken push some blocks upwards for ever? (Bellman and Ford.)
bool State::HasCircle() const {
  std::vector<std::int64_t> height(instance_.blocks.size(), 0);
  for (std::size_t round = 0; round <= height.size(); ++round) {
    bool moved = false;
    for (std::size_t c = 0; c < sides_.size(); ++c) {
      if (sides_[c] == Side::kOpen) continue;
      const Conflict& which = instance_.conflicts[c];
      const bool above = sides_[c] == Side::kAbove;
      std::int64_t& upper = height[above ? which.b : which.a];
      const std::int64_t pushed =
          above ? height[which.a] + which.high : height[which.b] - which.low;
      if (pushed > kMostHeight) return true;
      moved = moved || pushed > upper;
      upper = std::max(upper, pushed);
    }
    if (!moved) return false;
  }
  return true;
}

bool State::SectionFits(const Section& section) {
  work_ += 2 * section.jobs.size();
  return FitsAbove(section) && FitsBelow(section);
}

// What begins at some height or above needs room there.
bool State::FitsAbove(const Section& section) {
  jobs_.clear();
  std::int64_t top = 0;
  for (const Job& job : section.jobs) {
    jobs_.emplace_back(least_[job.block] + job.delta_bytes, job.size_bytes);
    top = std::max(top, greatest_[job.block] + job.delta_bytes + job.size_bytes);
  }
  std::sort(jobs_.begin(), jobs_.end());
  std::int64_t need = 0;
  std::int64_t held_above = 0;
  auto held = section.held.rbegin();
  for (auto job = jobs_.rbegin(); job != jobs_.rend(); ++job) {
    const std::int64_t begin = job->first;
    need += job->second;
    for (; held != section.held.rend() && held->begin >= begin; ++held) {
      held_above += std::max<std::int64_t>(0, std::min(held->end, top) - held->begin);
    }
    const bool cut = held != section.held.rend() && held->end > begin;
    const std::int64_t part = cut ? std::max<std::int64_t>(0, std::min(held->end, top) - begin) : 0;
    if (need + held_above + part > top - begin) return false;
  }
  return true;
}

// What ends at some height or below needs room there.
bool State::FitsBelow(const Section& section) {
  jobs_.clear();
  std::int64_t bottom = std::numeric_limits<std::int64_t>::max();
  for (const Job& job : section.jobs) {
    jobs_.emplace_back(greatest_[job.block] + job.delta_bytes + job.size_bytes, job.size_bytes);
    bottom = std::min(bottom, least_[job.block] + job.delta_bytes);
  }
  std::sort(jobs_.begin(), jobs_.end());
  std::int64_t need = 0;
  std::int64_t held_below = 0;
  auto held = section.held.begin();
  for (const auto& [end, size_bytes] : jobs_) {
    need += size_bytes;
    for (; held != section.held.end() && held->end <= end; ++held) {
      held_below += std::max<std::int64_t>(0, held->end - std::max(held->begin, bottom));
    }
    const bool cut = held != section.held.end() && held->begin < end;
    const std::int64_t part =
        cut ? std::max<std::int64_t>(0, end - std::max(held->begin, bottom)) : 0;
    if (need + held_below + part > end - bottom) return false;
  }
  return true;
}

}  // namespace opass::allocators::disjunctive
