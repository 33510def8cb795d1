#include "opass/schedulers/search/memory_profile.h"

#include <algorithm>

namespace opass::schedulers {
namespace {

using Segments = std::vector<ProfileSegment>;

// From the start down to the lowest point. A segment that needs no more than the one before it
// would follow it at once: they are one.
void Fall(std::span<const ProfileSegment> steps, OpChains& chains, Segments& segments) {
  std::int64_t lowest = 0;
  ProfileSegment open{std::numeric_limits<std::int64_t>::min(), 0, OpChains::kEmpty};
  for (const ProfileSegment& step : steps) {
    open.hill_bytes = std::max(open.hill_bytes, step.hill_bytes);
    open.ops = chains.Join(open.ops, step.ops);
    if (step.end_bytes >= lowest) continue;
    lowest = open.end_bytes = step.end_bytes;
    while (!segments.empty() && segments.back().hill_bytes >= open.hill_bytes) {
      open.hill_bytes = segments.back().hill_bytes;
      open.ops = chains.Join(segments.back().ops, open.ops);
      segments.pop_back();
    }
    segments.push_back(open);
    open = {std::numeric_limits<std::int64_t>::min(), 0, OpChains::kEmpty};
  }
}

// The same from the end; the segments come out last first. `starts[i]`: the bytes before step i.
void Rise(std::span<const ProfileSegment> steps, std::int64_t lowest, OpChains& chains,
          Segments& segments) {
  std::int64_t low = steps.empty() ? lowest : steps.back().end_bytes;
  ProfileSegment open{std::numeric_limits<std::int64_t>::min(), low, OpChains::kEmpty};
  for (std::size_t i = steps.size(); i-- > 0;) {
    const std::int64_t start = i == 0 ? lowest : steps[i - 1].end_bytes;
    open.hill_bytes = std::max(open.hill_bytes, steps[i].hill_bytes);
    open.ops = chains.Join(steps[i].ops, open.ops);
    if (start >= low) continue;
    low = start;
    while (!segments.empty() && segments.back().hill_bytes >= open.hill_bytes) {
      open.hill_bytes = segments.back().hill_bytes;
      open.end_bytes = segments.back().end_bytes;
      open.ops = chains.Join(open.ops, segments.back().ops);
      segments.pop_back();
    }
    segments.push_back(open);
    open = {std::numeric_limits<std::int64_t>::min(), low, OpChains::kEmpty};
  }
}

std::int64_t StartOf(const MemoryProfile& profile, std::size_t segment) {
  return segment == 0 ? 0 : profile.segments[segment - 1].end_bytes;
}

std::int64_t LowestFromEnd(const MemoryProfile& profile, std::int64_t hill_bytes) {
  std::int64_t lowest = profile.end_bytes();
  const std::size_t first = profile.segments.size() - profile.num_rising;
  for (std::size_t i = profile.segments.size(); i-- > first;) {
    if (profile.segments[i].hill_bytes > hill_bytes) break;
    lowest = StartOf(profile, i);
  }
  return lowest;
}

// A segment among those of other profiles: what it needs above the lowest point it touches.
struct Placed {
  std::int64_t needs_bytes;
  std::int64_t change_bytes;
  std::int64_t rise_bytes;  // from its start to its hill
  OpChains::Chain ops;
};

}  // namespace

std::vector<memory::OpId> OpChains::Flat(Chain chain) const {
  std::vector<memory::OpId> ops;
  std::vector<Chain> left;
  if (chain != kEmpty) left.push_back(chain);
  while (!left.empty()) {
    const auto [first, second] = links_[left.back() - 1];
    left.pop_back();
    if (second == kOp) {
      ops.emplace_back(first);
    } else {
      left.push_back(second);
      left.push_back(first);
    }
  }
  return ops;
}

std::int64_t MemoryProfile::peak_bytes() const {
  std::int64_t peak = 0;
  for (const ProfileSegment& segment : segments) peak = std::max(peak, segment.hill_bytes);
  return peak;
}

MemoryProfile ProfileOf(std::span<const ProfileSegment> steps, OpChains& chains) {
  std::int64_t lowest = 0;
  std::size_t first_lowest = 0;  // steps before the first and the last lowest point
  std::size_t last_lowest = 0;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (steps[i].end_bytes > lowest) continue;
    if (steps[i].end_bytes < lowest) first_lowest = i + 1;
    lowest = steps[i].end_bytes;
    last_lowest = i + 1;
  }
  MemoryProfile profile;
  Fall(steps.first(first_lowest), chains, profile.segments);
  profile.num_falling = profile.segments.size();
  if (first_lowest < last_lowest) {
    ProfileSegment level = steps[first_lowest];
    for (std::size_t i = first_lowest + 1; i < last_lowest; ++i) {
      level.hill_bytes = std::max(level.hill_bytes, steps[i].hill_bytes);
      level.ops = chains.Join(level.ops, steps[i].ops);
    }
    level.end_bytes = lowest;
    profile.segments.push_back(level);
  }
  Segments rising;
  Rise(steps.subspan(last_lowest), lowest, chains, rising);
  profile.num_rising = rising.size();
  profile.segments.insert(profile.segments.end(), rising.rbegin(), rising.rend());
  return profile;
}

std::int64_t LowestFromStart(const MemoryProfile& profile, std::int64_t hill_bytes) {
  std::int64_t lowest = 0;
  for (const ProfileSegment& segment : profile.falling()) {
    if (segment.hill_bytes > hill_bytes) break;
    lowest = segment.end_bytes;
  }
  return lowest;
}

std::vector<ProfileSegment> MergeProfiles(std::span<const MemoryProfile* const> profiles) {
  std::vector<Placed> falling;
  std::vector<Placed> level;
  std::vector<Placed> rising;
  for (const MemoryProfile* profile : profiles) {
    const std::size_t first_rising = profile->segments.size() - profile->num_rising;
    for (std::size_t i = 0; i < profile->segments.size(); ++i) {
      const ProfileSegment& segment = profile->segments[i];
      const std::int64_t start = StartOf(*profile, i);
      Placed placed{segment.hill_bytes - start, segment.end_bytes - start,
                    segment.hill_bytes - start, segment.ops};
      if (i >= first_rising) placed.needs_bytes = segment.hill_bytes - segment.end_bytes;
      (i < profile->num_falling ? falling : i < first_rising ? level : rising).push_back(placed);
    }
  }
  std::stable_sort(falling.begin(), falling.end(),
                   [](const Placed& a, const Placed& b) { return a.needs_bytes < b.needs_bytes; });
  std::stable_sort(rising.begin(), rising.end(),
                   [](const Placed& a, const Placed& b) { return a.needs_bytes > b.needs_bytes; });
  std::vector<ProfileSegment> steps;
  std::int64_t live = 0;
  for (const std::vector<Placed>* part : {&falling, &level, &rising}) {
    for (const Placed& placed : *part) {
      steps.push_back({live + placed.rise_bytes, live + placed.change_bytes, placed.ops});
      live += placed.change_bytes;
    }
  }
  return steps;
}

bool Dominates(const MemoryProfile& a, const MemoryProfile& b) {
  if (a.peak_bytes() > b.peak_bytes()) return false;
  for (const ProfileSegment& segment : b.falling()) {
    if (LowestFromStart(a, segment.hill_bytes) > segment.end_bytes) return false;
  }
  for (std::size_t i = b.segments.size() - b.num_rising; i < b.segments.size(); ++i) {
    if (LowestFromEnd(a, b.segments[i].hill_bytes) > StartOf(b, i)) return false;
  }
  return true;
}

}  // namespace opass::schedulers
