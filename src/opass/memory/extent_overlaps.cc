#include "opass/memory/extent_overlaps.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <vector>

namespace opass::memory::check {
namespace {

bool Takes(const Extent& later, const Extent& earlier) {
  return earlier.family != kNoFamily && later.taken_family == earlier.family &&
         earlier.last == later.first + 1;
}

class Sweep {
 public:
  explicit Sweep(std::span<const Extent> extents) : extents_(extents) {
    for (std::size_t i = 0; i < extents.size(); ++i) {
      if (extents[i].begin < extents[i].end && extents[i].first < extents[i].last) {
        births_.push_back(i);
      }
    }
    deaths_ = births_;
    std::sort(births_.begin(), births_.end(), [&](std::size_t a, std::size_t b) {
      return std::tie(extents[a].first, extents[a].begin, a) <
             std::tie(extents[b].first, extents[b].begin, b);
    });
    std::sort(deaths_.begin(), deaths_.end(), [&](std::size_t a, std::size_t b) {
      return std::tie(extents[a].last, a) < std::tie(extents[b].last, b);
    });
  }

  std::optional<Overlap> Run() {
    for (std::size_t begin = 0; begin < births_.size();) {
      const std::int64_t step = extents_[births_[begin]].first;
      RemoveDeadBefore(step);
      std::size_t end = begin;
      while (end < births_.size() && extents_[births_[end]].first == step) ++end;
      const std::span<const std::size_t> born(births_.data() + begin, end - begin);
      if (const auto overlap = AmongThemselves(born)) return overlap;
      for (const std::size_t i : born) {
        if (const auto overlap = WithOlder(i)) return overlap;
      }
      RemoveDeadBefore(step + 1);  // what was taken over: the map keeps disjoint bytes
      for (const std::size_t i : born) {
        if (extents_[i].last > step + 1) live_.emplace(extents_[i].begin, i);
      }
      begin = end;
    }
    return std::nullopt;
  }

 private:
  // Those that live in no step from `step` on.
  void RemoveDeadBefore(std::int64_t step) {
    for (; next_death_ < deaths_.size(); ++next_death_) {
      const std::size_t i = deaths_[next_death_];
      if (extents_[i].last > step) return;
      const auto at = live_.find(extents_[i].begin);
      if (at != live_.end() && at->second == i) live_.erase(at);
    }
  }

  // `born` at one step, by where they begin. Ends at the first pair that may not overlap, so that
  // the pairs looked at are few.
  std::optional<Overlap> AmongThemselves(std::span<const std::size_t> born) const {
    for (std::size_t i = 0; i < born.size(); ++i) {
      const Extent& a = extents_[born[i]];
      for (std::size_t j = i + 1; j < born.size() && extents_[born[j]].begin < a.end; ++j) {
        const Extent& b = extents_[born[j]];
        if (!Takes(a, b) && !Takes(b, a)) return Overlap{born[i], born[j]};
      }
    }
    return std::nullopt;
  }

  std::optional<Overlap> WithOlder(std::size_t born) const {
    const Extent& extent = extents_[born];
    auto at = live_.upper_bound(extent.begin);
    if (at != live_.begin() && extents_[std::prev(at)->second].end > extent.begin) --at;
    for (; at != live_.end() && at->first < extent.end; ++at) {
      if (!Takes(extent, extents_[at->second])) return Overlap{at->second, born};
    }
    return std::nullopt;
  }

  std::span<const Extent> extents_;
  std::vector<std::size_t> births_;
  std::vector<std::size_t> deaths_;
  std::size_t next_death_ = 0;
  std::map<std::int64_t, std::size_t> live_;  // by the first byte
};

}  // namespace

std::optional<Overlap> FindOverlap(std::span<const Extent> extents) { return Sweep(extents).Run(); }

}  // namespace opass::memory::check
