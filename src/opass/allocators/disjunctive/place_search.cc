#include "opass/allocators/disjunctive/place_search.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace opass::allocators::disjunctive {

using exact_offsets::Answer;

namespace {

constexpr std::pair kNothing{std::numeric_limits<std::int64_t>::max(), std::int64_t{0}};

}  // namespace

PlaceSearch::PlaceSearch(const Instance& instance, const exact_offsets::Stop* stop)
    : instance_(instance),
      stop_(stop),
      neighbours_(instance.blocks.size()),
      places_(instance.blocks.size()),
      hulls_(instance.blocks.size(), kNothing),
      twins_(instance.blocks.size(), -1),
      rest_(instance.sections.size(), 0),
      bottom_(instance.sections.size(), 0) {
  for (std::size_t c = 0; c < instance.conflicts.size(); ++c) {
    const Conflict& which = instance.conflicts[c];
    neighbours_[which.a].push_back({which.b, -which.high, -which.low});
    neighbours_[which.b].push_back({which.a, which.low, which.high});
    const bool is_second =
        c > 0 && instance.conflicts[c - 1].a == which.a && instance.conflicts[c - 1].b == which.b;
    is_complete_ = is_complete_ && !is_second && which.low < 0 && which.high > 0;
    if (instance.is_of_twins[c]) twins_[which.b] = which.a;
  }
  for (std::uint32_t s = 0; s < instance.sections.size(); ++s) {
    for (const Job& job : instance.sections[s].jobs) {
      places_[job.block].push_back({s, job.delta_bytes, job.size_bytes});
      auto& [first, last] = hulls_[job.block];
      first = std::min<std::int64_t>(first, s);
      last = s + 1;
    }
  }
}

Answer PlaceSearch::Run(std::int64_t capacity, const PlaceSettings& settings,
                        std::uint64_t max_work) {
  capacity_ = capacity;
  use_symmetry_ = settings.use_symmetry;
  aborted_ = false;
  most_work_ = max_work > ~work_ ? ~std::uint64_t{0} : work_ + max_work;
  trail_.clear();
  natural_.clear();
  for (const Bases& bases : instance_.bases) natural_.push_back(bases.AtLeast(0));
  least_ = natural_;
  bases_ = natural_;
  is_placed_.assign(natural_.size(), false);
  DrawUpOrder(settings);
  Blocks& all = BlocksAt(0);
  all.clear();
  for (std::uint32_t b = 0; b < natural_.size(); ++b) {
    if (natural_[b] > capacity - instance_.size_bytes[b]) return Answer::kDoesNotFit;
    if (!places_[b].empty()) all.push_back(b);  // others are in nobody's way
  }
  touched_ = {0, static_cast<std::int64_t>(instance_.sections.size())};
  if (HasRoom(all) && Solve(0)) return Answer::kFits;
  return aborted_ || !is_complete_ ? Answer::kUnknown : Answer::kDoesNotFit;
}

PlaceSearch::Blocks& PlaceSearch::BlocksAt(std::size_t depth) {
  while (blocks_.size() <= depth) blocks_.emplace_back();
  return blocks_[depth];
}

void PlaceSearch::DrawUpOrder(const PlaceSettings& settings) {
  std::mt19937_64 random(settings.seed);
  ranks_.clear();
  for (std::size_t b = 0; b < places_.size(); ++b) {
    const auto sections = static_cast<double>(places_[b].size());
    const auto size = static_cast<double>(instance_.size_bytes[b]);
    const double keys[kNumKeys] = {sections, sections * size, size, std::sqrt(sections) * size};
    const double factor = static_cast<double>(random() % 1024) / 1024;
    ranks_.push_back(-keys[settings.key] * (1 + settings.noise * factor));
  }
}

// Of what is left at this depth.
bool PlaceSearch::Solve(std::size_t depth) {
  Blocks& blocks = BlocksAt(depth);
  if (blocks.empty()) return true;
  std::sort(blocks.begin(), blocks.end(), [&](std::uint32_t a, std::uint32_t b) {
    return std::pair(hulls_[a].first, a) < std::pair(hulls_[b].first, b);
  });
  std::int64_t end = hulls_[blocks[0]].second;
  for (const std::uint32_t b : blocks) {
    if (hulls_[b].first >= end) return SolveParts(depth);
    end = std::max(end, hulls_[b].second);
  }
  return Branch(depth);
}

// Parts that no block crosses have nothing to do with each other.
bool PlaceSearch::SolveParts(std::size_t depth) {
  const Blocks& blocks = BlocksAt(depth);
  Blocks& part = BlocksAt(depth + 1);
  for (std::size_t i = 0; i < blocks.size();) {
    part.clear();
    std::int64_t end = std::numeric_limits<std::int64_t>::max();
    for (; i < blocks.size() && hulls_[blocks[i]].first < end; ++i) {
      end = part.empty() ? hulls_[blocks[i]].second : std::max(end, hulls_[blocks[i]].second);
      part.push_back(blocks[i]);
    }
    if (Branch(depth + 1)) continue;
    for (const std::uint32_t b : blocks) is_placed_[b] = false;  // of the parts before
    return false;
  }
  return true;
}

bool PlaceSearch::Branch(std::size_t depth) {
  const std::size_t mark = trail_.size();
  for (;;) {
    ++nodes_;
    work_ += 4 * BlocksAt(depth).size();
    aborted_ =
        aborted_ || work_ >= most_work_ || (stop_ != nullptr && nodes_ % 64 == 0 && stop_->Asked());
    if (aborted_) break;
    const std::int64_t chosen = Choose(BlocksAt(depth));
    if (chosen < 0) break;
    const auto block = static_cast<std::uint32_t>(chosen);
    if (PutAndSolve(depth, block)) return true;
    if (aborted_ || !Postpone(block) || !HasRoom(BlocksAt(depth))) break;
  }
  UndoTo(mark);
  return false;
}

// The first by least base and rank of those that can lie there now; -1 when there is none, or when
// another could lie below it and would.
std::int64_t PlaceSearch::Choose(const Blocks& blocks) const {
  std::int64_t chosen = -1;
  std::int64_t lowest_top = std::numeric_limits<std::int64_t>::max();
  for (const std::uint32_t b : blocks) {
    lowest_top = std::min(lowest_top, natural_[b] + instance_.size_bytes[b]);
    if (least_[b] > natural_[b]) continue;
    if (use_symmetry_ && twins_[b] >= 0 && !is_placed_[static_cast<std::size_t>(twins_[b])]) {
      continue;
    }
    if (chosen >= 0) {
      const auto best = static_cast<std::size_t>(chosen);
      if (std::pair(least_[b], ranks_[b]) >= std::pair(least_[best], ranks_[best])) continue;
    }
    chosen = b;
  }
  if (chosen >= 0 && least_[static_cast<std::size_t>(chosen)] >= lowest_top) return -1;
  return chosen;
}

// At its least base; is there a layout for the others?
bool PlaceSearch::PutAndSolve(std::size_t depth, std::uint32_t block) {
  const std::size_t mark = trail_.size();
  bases_[block] = least_[block];
  Blocks& rest = BlocksAt(depth + 1);
  rest.clear();
  for (const std::uint32_t other : BlocksAt(depth)) {
    if (other != block) rest.push_back(other);
  }
  is_placed_[block] = true;
  work_ += neighbours_[block].size();
  for (const Neighbour& other : neighbours_[block]) {
    if (!is_placed_[other.block]) MakeWay(other.block, {block, -other.high, -other.low});
  }
  if (HasRoom(rest) && Solve(depth + 1)) return true;
  is_placed_[block] = false;
  UndoTo(mark);
  return false;
}

// `block` has to keep clear of one that is placed now, from its base upwards.
void PlaceSearch::MakeWay(std::uint32_t block, const Neighbour& placed) {
  const std::int64_t there = bases_[placed.block];
  std::int64_t natural = std::max(natural_[block], instance_.bases[block].AtLeast(there));
  if (natural > there + placed.low && natural < there + placed.high) {
    natural = instance_.bases[block].AtLeast(there + placed.high);
  }
  if (natural == natural_[block]) return;
  // Where two blocks have several conflicts, what is above one may be within another.
  for (bool moved = !is_complete_; moved;) {
    moved = false;
    work_ += neighbours_[block].size();
    for (const Neighbour& other : neighbours_[block]) {
      const std::int64_t base = bases_[other.block];
      if (!is_placed_[other.block] || natural <= base + other.low || natural >= base + other.high) {
        continue;
      }
      natural = instance_.bases[block].AtLeast(base + other.high);
      moved = true;
    }
  }
  Set(block, natural, std::max(natural, least_[block]));
}

// It lies above one of those that could be in its way where it is now.
bool PlaceSearch::Postpone(std::uint32_t block) {
  const std::int64_t here = least_[block];
  std::int64_t least = std::numeric_limits<std::int64_t>::max();
  work_ += neighbours_[block].size();
  for (const Neighbour& other : neighbours_[block]) {
    if (is_placed_[other.block] || least_[other.block] + other.low >= here) continue;
    least = std::min(least, std::max(least_[other.block], here) + other.high);
  }
  if (least > capacity_) return false;
  least = instance_.bases[block].AtLeast(std::max(least, here + 1));
  Set(block, natural_[block], least);
  return least <= capacity_ - instance_.size_bytes[block];
}

// In every section that blocks which moved live in, what is left needs room above the lowest of its
// least bases. Sorts the blocks by least base, the highest first, so that this holds for every run
// of them.
bool PlaceSearch::HasRoom(Blocks& blocks) {
  const auto [low, high] = std::exchange(touched_, kNothing);
  if (low >= high) return true;
  for (std::size_t i = 1; i < blocks.size(); ++i) {  // few are out of place
    const std::uint32_t b = blocks[i];
    std::size_t at = i;
    for (; at > 0 && least_[blocks[at - 1]] < least_[b]; --at) blocks[at] = blocks[at - 1];
    blocks[at] = b;
  }
  std::fill(rest_.begin() + low, rest_.begin() + high, 0);
  std::fill(bottom_.begin() + low, bottom_.begin() + high, capacity_);
  for (const std::uint32_t b : blocks) {
    if (hulls_[b].first >= high || hulls_[b].second <= low) continue;
    if (least_[b] > capacity_ - instance_.size_bytes[b]) return false;
    work_ += places_[b].size() + 1;
    for (const Place& place : places_[b]) {
      if (place.section < low || place.section >= high) continue;
      std::int64_t& bottom = bottom_[place.section];
      bottom = std::min(bottom, least_[b] + place.delta_bytes);
      rest_[place.section] += place.size_bytes;
      std::int64_t need = rest_[place.section];
      const Section& section = instance_.sections[place.section];
      if (!section.held.empty()) need += HeldAbove(section, bottom);
      if (need > capacity_ - bottom) return false;
    }
  }
  return true;
}

std::int64_t PlaceSearch::HeldAbove(const Section& section, std::int64_t begin) const {
  std::int64_t bytes = 0;
  for (auto held = section.held.rbegin(); held != section.held.rend() && held->end > begin;
       ++held) {
    bytes +=
        std::max<std::int64_t>(0, std::min(held->end, capacity_) - std::max(held->begin, begin));
  }
  return bytes;
}

void PlaceSearch::Set(std::uint32_t block, std::int64_t natural, std::int64_t least) {
  trail_.push_back({block, natural_[block], least_[block]});
  natural_[block] = natural;
  least_[block] = least;
  touched_.first = std::min(touched_.first, hulls_[block].first);
  touched_.second = std::max(touched_.second, hulls_[block].second);
}

void PlaceSearch::UndoTo(std::size_t mark) {
  for (; trail_.size() > mark; trail_.pop_back()) {
    natural_[trail_.back().block] = trail_.back().natural;
    least_[trail_.back().block] = trail_.back().least;
  }
}

}  // namespace opass::allocators::disjunctive
