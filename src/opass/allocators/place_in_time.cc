#include "opass/allocators/place_in_time.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <utility>

namespace opass::allocators {
namespace {

// The gaps below the end of what was ever used.
class Gaps {
 public:
  std::int64_t Take(std::int64_t size_bytes) {
    const auto tightest = by_size_.lower_bound({size_bytes, 0});
    if (tightest == by_size_.end()) return Grow(size_bytes);
    const auto [gap_bytes, begin] = *tightest;
    Remove(ends_.find(begin));
    if (gap_bytes > size_bytes) Add(begin + size_bytes, begin + gap_bytes);
    return begin;
  }

  void Free(std::int64_t begin, std::int64_t end) {
    const auto after = ends_.lower_bound(begin);
    if (after != ends_.begin()) {
      if (const auto before = std::prev(after); before->second == begin) {
        begin = before->first;
        Remove(before);
      }
    }
    if (after != ends_.end() && after->first == end) {
      end = after->second;
      Remove(after);
    }
    Add(begin, end);
  }

 private:
  using Ends = std::map<std::int64_t, std::int64_t>;  // begin to end

  // What the last gap lacks is added above it.
  std::int64_t Grow(std::int64_t size_bytes) {
    std::int64_t begin = top_;
    if (!ends_.empty() && ends_.rbegin()->second == top_) {
      begin = ends_.rbegin()->first;
      Remove(std::prev(ends_.end()));
    }
    top_ = begin + size_bytes;
    return begin;
  }

  void Add(std::int64_t begin, std::int64_t end) {
    ends_.emplace(begin, end);
    by_size_.emplace(end - begin, begin);
  }
  void Remove(Ends::iterator gap) {
    by_size_.erase({gap->second - gap->first, gap->first});
    ends_.erase(gap);
  }

  Ends ends_;
  std::set<std::pair<std::int64_t, std::int64_t>> by_size_;  // size, begin
  std::int64_t top_ = 0;
};

// What is freed at the step of a birth is free for it.
std::vector<std::int64_t> Place(const BlockProblem& problem, bool backward) {
  const std::vector<Block>& blocks = problem.blocks;
  const auto birth = [&](std::size_t i) { return backward ? -blocks[i].last : blocks[i].first; };
  const auto death = [&](std::size_t i) { return backward ? -blocks[i].first : blocks[i].last; };
  std::vector<std::size_t> births(blocks.size());
  for (std::size_t i = 0; i < births.size(); ++i) births[i] = i;
  std::vector<std::size_t> deaths = births;
  std::stable_sort(births.begin(), births.end(), [&](std::size_t a, std::size_t b) {
    return birth(a) != birth(b) ? birth(a) < birth(b) : blocks[a].size_bytes > blocks[b].size_bytes;
  });
  std::stable_sort(deaths.begin(), deaths.end(),
                   [&](std::size_t a, std::size_t b) { return death(a) < death(b); });
  std::vector<std::int64_t> bases(blocks.size(), 0);
  Gaps gaps;
  auto dead = deaths.begin();
  for (const std::size_t born : births) {
    for (; dead != deaths.end() && death(*dead) <= birth(born); ++dead) {
      gaps.Free(bases[*dead], bases[*dead] + blocks[*dead].size_bytes);
    }
    bases[born] = gaps.Take(blocks[born].size_bytes);
  }
  return bases;
}

}  // namespace

std::uint64_t CountMeetings(const BlockProblem& problem) {
  const auto steps = static_cast<std::size_t>(problem.num_steps);
  std::vector<std::uint64_t> births(steps, 0);
  std::vector<std::uint64_t> deaths(steps + 1, 0);
  for (const Block& block : problem.blocks) {
    ++births[static_cast<std::size_t>(block.first)];
    ++deaths[static_cast<std::size_t>(block.last)];
  }
  std::uint64_t live = 0;
  std::uint64_t meetings = 0;
  for (std::size_t k = 0; k < steps; ++k) {
    live -= deaths[k];
    for (; births[k] > 0; --births[k]) meetings += live++;
  }
  return meetings;
}

std::vector<std::int64_t> PlaceInTime(const BlockProblem& problem) {
  std::vector<std::int64_t> bases = Place(problem, false);
  const std::int64_t arena = ArenaBytes(problem, bases);
  if (arena == problem.peak_bytes) return bases;
  std::vector<std::int64_t> backward = Place(problem, true);
  return ArenaBytes(problem, backward) < arena ? backward : bases;
}

}  // namespace opass::allocators
