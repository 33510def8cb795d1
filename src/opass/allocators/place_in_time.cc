#include "opass/allocators/place_in_time.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <utility>

namespace opass::allocators {
namespace {

// Gaps in which a block does not fit because of its modulus, before it is put above all.
constexpr int kMostMisfits = 30;

// The gaps between the ground and the end of what was ever used.
class Gaps {
 public:
  explicit Gaps(std::int64_t ground) : top_(ground) {}

  std::int64_t Take(const Block& block) {
    const std::int64_t size_bytes = block.size_bytes;
    auto tightest = by_size_.lower_bound({size_bytes, 0});
    for (int misfits = 0; misfits < kMostMisfits && tightest != by_size_.end(); ++misfits) {
      const auto [gap_bytes, begin] = *tightest++;
      const std::int64_t base = AlignedUp(block, begin);
      if (base - begin > gap_bytes - size_bytes) continue;
      Remove(ends_.find(begin));
      if (base > begin) Add(begin, base);
      if (begin + gap_bytes > base + size_bytes) Add(base + size_bytes, begin + gap_bytes);
      return base;
    }
    return Grow(block);
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
  std::int64_t Grow(const Block& block) {
    std::int64_t begin = top_;
    if (!ends_.empty() && ends_.rbegin()->second == top_) {
      begin = ends_.rbegin()->first;
      Remove(std::prev(ends_.end()));
    }
    const std::int64_t base = AlignedUp(block, begin);
    if (base > begin) Add(begin, base);
    top_ = base + block.size_bytes;
    return base;
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
  std::int64_t top_;
};

// What lies fixed, and what is forbidden, is below.
std::int64_t GroundOf(const BlockProblem& problem) {
  std::int64_t ground = problem.forbidden.empty() ? 0 : problem.forbidden.back().end;
  for (const Block& block : problem.blocks) {
    if (block.fixed_base) ground = std::max(ground, *block.fixed_base + block.size_bytes);
  }
  return ground;
}

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
  Gaps gaps(GroundOf(problem));
  auto dead = deaths.begin();
  for (const std::size_t born : births) {
    for (; dead != deaths.end() && death(*dead) <= birth(born); ++dead) {
      if (blocks[*dead].fixed_base) continue;
      gaps.Free(bases[*dead], bases[*dead] + blocks[*dead].size_bytes);
    }
    const auto fixed = blocks[born].fixed_base;
    bases[born] = fixed ? *fixed : gaps.Take(blocks[born]);
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
