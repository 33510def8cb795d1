// Lists with constraints against brute force, on small random instances.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <optional>
#include <random>
#include <string>

#include "opass/allocators/allocate_buffers.h"
#include "opass/allocators/disjunctive/minimise.h"
#include "opass/allocators/list_blocks.h"
#include "opass/allocators/resolve_pools.h"
#include "opass/memory/testing/num_cases.h"

namespace opass::allocators {
namespace {

using Random = std::mt19937_64;

std::int64_t Below(Random& random, std::int64_t end) {
  return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(end));
}

enum Kind : std::uint64_t {
  kAligned = 1,
  kPinned = 2,
  kForbidden = 4,
  kGaps = 8,
  kGroups = 16,
  kPools = 32,
  kAllKinds = 64,
};

std::vector<Gap> RandomGaps(Random& random, const ListedBuffer& buffer) {
  std::vector<Gap> gaps;
  std::int64_t step = buffer.first;
  for (int i = 0; i < 2 && step < buffer.last; ++i) {
    const std::int64_t first = step + Below(random, buffer.last - step);
    const std::int64_t last = first + 1 + Below(random, buffer.last - first);
    gaps.push_back({first, last});
    step = last + 1;
  }
  return gaps;
}

// Constraints of the kinds in `kinds`, each on a part of the buffers.
BufferList RandomList(Random& random, std::uint64_t kinds) {
  BufferList list;
  const std::int64_t count = 2 + Below(random, 6);
  const std::int64_t steps = 2 + Below(random, 6);
  const auto some = [&](Kind kind) { return (kinds & kind) != 0 && Below(random, 2) == 0; };
  for (std::int64_t i = 0; i < count; ++i) {
    ListedBuffer buffer;
    buffer.name = std::to_string(i);
    buffer.first = Below(random, steps);
    buffer.last = buffer.first + 1 + Below(random, steps - buffer.first);
    buffer.size_bytes = 1 + Below(random, 4) - (Below(random, 16) == 0 ? 1 : 0);
    if (some(kAligned)) buffer.alignment = 1 + Below(random, 4);
    if (some(kPinned) && Below(random, 2) == 0) {
      buffer.pinned_offset = buffer.alignment * Below(random, 6 / buffer.alignment);
    }
    if (some(kGaps)) buffer.gaps = RandomGaps(random, buffer);
    if (some(kGroups)) {
      buffer.group = Below(random, 3) == 0 ? "h" : "g";
      buffer.delta_bytes = Below(random, 7) - 3;
    }
    if ((kinds & kPools) != 0) buffer.pool = buffer.group == "g" || some(kPools) ? "a" : "b";
    if (buffer.group == "h") buffer.pool = (kinds & kPools) != 0 ? "b" : "";
    list.buffers.push_back(std::move(buffer));
  }
  if ((kinds & kForbidden) != 0) {
    list.pools.push_back({(kinds & kPools) != 0 ? "a" : ""});
    for (int i = 0; i < 2; ++i) {
      const std::int64_t begin = Below(random, 8);
      list.pools[0].forbidden.push_back({begin, begin + 1 + Below(random, 3)});
    }
  }
  return list;
}

bool LivesAt(const ListedBuffer& buffer, std::int64_t step) {
  return buffer.first <= step && step < buffer.last &&
         std::none_of(buffer.gaps.begin(), buffer.gaps.end(),
                      [&](const Gap& gap) { return gap.first <= step && step < gap.last; });
}

bool LiveTogether(const ListedBuffer& a, const ListedBuffer& b) {
  for (std::int64_t step = a.first; step < a.last; ++step) {
    if (LivesAt(a, step) && LivesAt(b, step)) return true;
  }
  return false;
}

bool MayBeAt(const ListedBuffer& buffer, const Pool& pool, std::int64_t offset) {
  if (offset % buffer.alignment != 0) return false;
  if (buffer.pinned_offset && *buffer.pinned_offset != offset) return false;
  if (buffer.size_bytes == 0 || !LiveTogether(buffer, buffer)) return true;
  return std::none_of(pool.forbidden.begin(), pool.forbidden.end(), [&](const ByteRange& range) {
    return range.begin < offset + buffer.size_bytes && offset < range.end;
  });
}

constexpr std::int64_t kNoLayout = -1;
constexpr std::int64_t kTooLong = -2;

// Tries all offsets, buffer after buffer, and compares pairs.
class BruteForce {
 public:
  BruteForce(std::vector<ListedBuffer> buffers, Pool pool)
      : buffers_(std::move(buffers)), pool_(std::move(pool)) {
    // Those of a group one after the other, what is pinned first: less to try.
    std::stable_sort(buffers_.begin(), buffers_.end(), [&](const auto& a, const auto& b) {
      return std::pair(!IsPinned(a), a.group) < std::pair(!IsPinned(b), b.group);
    });
    for (const ListedBuffer& a : buffers_) {
      holds_.push_back(a.size_bytes > 0 && LiveTogether(a, a));
      std::vector<Pair>& pairs = pairs_.emplace_back();
      for (const ListedBuffer& b : buffers_) {
        const bool tied = !a.group.empty() && a.group == b.group;
        const bool meet = a.size_bytes > 0 && b.size_bytes > 0 && LiveTogether(a, b);
        pairs.push_back(tied ? kTied : meet ? kMeet : kNothing);
      }
    }
  }

  // The least arena, kNoLayout, or kTooLong.
  std::int64_t Least() {
    for (std::int64_t height = LeastLoad(); height <= 64; ++height) {
      if (height == 33) height = 64;  // what fits at all is lower
      offsets_.clear();
      if (Fits(height)) return height;
      if (tries_ > kMostTries) return kTooLong;
    }
    return kNoLayout;
  }

 private:
  enum Pair { kNothing, kMeet, kTied };

  bool IsPinned(const ListedBuffer& buffer) const {
    return std::any_of(buffers_.begin(), buffers_.end(), [&](const ListedBuffer& other) {
      const bool same =
          other.name == buffer.name || (!buffer.group.empty() && other.group == buffer.group);
      return same && other.pinned_offset;
    });
  }

  // Of buffers without a group.
  std::int64_t LeastLoad() const {
    std::int64_t most = 0;
    for (std::int64_t step = 0; step < 8; ++step) {
      std::int64_t bytes = 0;
      for (const ListedBuffer& buffer : buffers_) {
        if (buffer.group.empty() && LivesAt(buffer, step)) bytes += buffer.size_bytes;
      }
      most = std::max(most, bytes);
    }
    return most;
  }

  bool MayBeSo(std::size_t i, std::int64_t offset) const {
    const ListedBuffer& buffer = buffers_[i];
    for (std::size_t j = 0; j < offsets_.size(); ++j) {
      const ListedBuffer& other = buffers_[j];
      const std::int64_t there = offsets_[j];
      if (pairs_[i][j] == kTied && offset - buffer.delta_bytes != there - other.delta_bytes) {
        return false;
      }
      if (pairs_[i][j] == kMeet && offset < there + other.size_bytes &&
          there < offset + buffer.size_bytes) {
        return false;
      }
    }
    return true;
  }

  bool Fits(std::int64_t height) {
    const std::size_t i = offsets_.size();
    if (i == buffers_.size()) return true;
    if (++tries_ > kMostTries) return false;
    const ListedBuffer& buffer = buffers_[i];
    // What holds no bytes may lie above all others.
    const std::int64_t last = holds_[i] ? height - buffer.size_bytes : 72;
    for (std::int64_t offset = 0; offset <= last; ++offset) {
      if (!MayBeAt(buffer, pool_, offset) || !MayBeSo(i, offset)) continue;
      offsets_.push_back(offset);
      if (Fits(height)) return true;
      offsets_.pop_back();
      if (!holds_[i] && buffer.group.empty()) return false;  // another place changes nothing
    }
    return false;
  }

  static constexpr std::uint64_t kMostTries = 50'000;
  std::uint64_t tries_ = 0;
  std::vector<ListedBuffer> buffers_;
  Pool pool_;
  std::vector<bool> holds_;  // any bytes in any step
  std::vector<std::vector<Pair>> pairs_;
  std::vector<std::int64_t> offsets_;
};

std::int64_t LeastOf(const BufferList& list, const std::string& pool) {
  std::vector<ListedBuffer> buffers;
  for (const ListedBuffer& buffer : list.buffers) {
    if (buffer.pool == pool) buffers.push_back(buffer);
  }
  const bool has_limits = !list.pools.empty() && list.pools[0].name == pool;
  return BruteForce(buffers, has_limits ? list.pools[0] : Pool{pool}).Least();
}

// What the random instances were like.
struct Seen {
  std::uint64_t compared = 0;
  std::uint64_t above_load = 0;   // the optimum is above the most bytes live
  std::uint64_t above_bound = 0;  // and above what is known before the search
  std::uint64_t without_layout = 0;
};

// The blocks of the only pool, and a layout of them, one above the other.
struct Posed {
  BlockProblem problem;
  std::vector<std::int64_t> start;
};

Posed Pose(const BufferList& list) {
  const ResolvedList resolved = *ResolvePools(list);
  std::vector<Block> blocks;
  for (const Unit& unit : resolved.units) {
    const Block block = MakeUnitBlock(list.buffers, unit)->block;
    if (!block.pieces.empty()) blocks.push_back(block);
  }
  Posed posed{MakePoolBlocks(std::move(blocks), resolved.pools[0])->problem, {}};
  std::int64_t top = 32;
  for (const Block& block : posed.problem.blocks) {
    posed.start.push_back(block.fixed_base.value_or(AlignedUp(block, top)));
    top = std::max(top, posed.start.back() + block.size_bytes);
  }
  return posed;
}

// One search of folder disjunctive by itself, to the end.
std::int64_t Searched(const Posed& posed, bool by_places, bool use_symmetry, std::uint64_t seed,
                      std::optional<std::int64_t> capacity = std::nullopt) {
  disjunctive::MinimiseOptions options;
  options.seed = seed;
  options.max_work = 1'000'000'000;
  options.capacity_bytes = capacity;
  options.use_symmetry = use_symmetry;
  options.by_places = by_places;
  options.by_sides = !by_places;
  const auto found = disjunctive::Minimise(posed.problem, posed.start, options);
  EXPECT_TRUE(capacity || found.arena_bytes == found.lower_bound_bytes);
  return found.lower_bound_bytes;
}

bool HasGroups(const BufferList& list) {
  return std::any_of(list.buffers.begin(), list.buffers.end(),
                     [](const ListedBuffer& buffer) { return !buffer.group.empty(); });
}

void ExpectSearched(const BufferList& list, std::int64_t least, std::uint64_t seed, Seen& seen) {
  const Posed posed = Pose(list);
  if (posed.problem.blocks.empty()) return;
  seen.above_bound += least > posed.problem.peak_bytes;
  for (const bool use_symmetry : {false, true}) {
    for (const bool by_places : {false, true}) {
      if (by_places && HasGroups(list)) continue;  // it proves nothing about groups
      ASSERT_EQ(Searched(posed, by_places, use_symmetry, seed), least);
      ASSERT_GE(Searched(posed, by_places, use_symmetry, seed, least - 1), least);
    }
  }
}

void ExpectPool(const BufferList& list, const PoolAllocation& found, std::uint64_t seed,
                Seen& seen) {
  const std::int64_t least = LeastOf(list, found.pool.name);
  if (least == kTooLong) return;
  ++seen.compared;
  ASSERT_EQ(found.arena_bytes, least) << "pool '" << found.pool.name << "'";
  ASSERT_EQ(found.lower_bound_bytes, least) << "pool '" << found.pool.name << "'";
  seen.above_load += least > found.max_live_bytes;
  if (!found.pool.name.empty() || least == 0) return;
  const auto refuted = AllocateBuffers(list, {.seed = seed, .capacity_bytes = least - 1});
  ASSERT_TRUE(refuted.ok());
  ASSERT_EQ(refuted->pools[0].lower_bound_bytes, least);
  if (seed % 2 == 0) ExpectSearched(list, least, seed, seen);
}

void ExpectLeast(const BufferList& list, std::uint64_t seed, Seen& seen) {
  const auto found = AllocateBuffers(list, {.seed = seed});
  if (found.ok()) {
    if (seed % 16 == 0) {
      ASSERT_EQ(AllocateBuffers(list, {.seed = seed, .threads = 2})->offsets, found->offsets);
    }
    for (const PoolAllocation& each : found->pools) {
      ExpectPool(list, each, seed, seen);
      if (testing::Test::HasFatalFailure()) return;
    }
    return;
  }
  // Pins, or a group by itself, leave no layout.
  const ErrorCode code = found.error().code;
  ASSERT_TRUE(code == ErrorCode::kNotPossible || code == ErrorCode::kInvalidInput)
      << found.error().ToString();
  const std::array least = {LeastOf(list, ""), LeastOf(list, "a"), LeastOf(list, "b")};
  if (std::count(least.begin(), least.end(), kTooLong) > 0) return;
  ASSERT_NE(std::count(least.begin(), least.end(), kNoLayout), 0) << found.error().ToString();
  ++seen.compared;
  ++seen.without_layout;
}

TEST(ConstraintsOracleTest, EveryAnswerIsThatOfBruteForce) {
  const std::uint64_t wanted = memory::testing::NumCases(20'000, 1'000'000);
  Seen seen;
  for (std::uint64_t seed = 0; seen.compared < wanted; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    // Each kind alone as often as any mix.
    const std::uint64_t kinds =
        seed % 2 == 0 ? std::uint64_t{1} << (seed / 2 % 6) : random() % kAllKinds;
    ExpectLeast(RandomList(random, kinds), seed, seen);
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(seen.above_load, wanted / 5);
  EXPECT_GT(seen.above_bound, wanted / 40);
  EXPECT_GT(seen.without_layout, wanted / 50);
}

// Every step is full: some end and make room for as much that begins.
BufferList FullList(Random& random, std::size_t most) {
  BufferList list;
  std::vector<ListedBuffer> live;
  std::int64_t step = 0;
  const auto begin = [&](std::int64_t bytes) {
    while (bytes > 0) {
      const std::int64_t size = 1 + Below(random, std::min<std::int64_t>(bytes, 6));
      live.push_back({"", step, 0, size});
      bytes -= size;
    }
  };
  for (begin(6 + Below(random, 6)); list.buffers.size() + live.size() < most; ++step) {
    std::int64_t freed = 0;
    for (std::int64_t i = 1 + Below(random, 2); i > 0 && !live.empty(); --i) {
      const auto at = live.begin() + Below(random, static_cast<std::int64_t>(live.size()));
      if (at->first == step) continue;
      freed += at->size_bytes;
      at->last = step;
      list.buffers.push_back(*at);
      live.erase(at);
    }
    begin(freed);
  }
  for (ListedBuffer& left : live) {
    left.last = step + 1;
    list.buffers.push_back(left);
  }
  return list;
}

// Too large for brute force: the searches of folder disjunctive, and for plain lists those of
// folder exact, must agree where the load is no bound.
TEST(ConstraintsOracleTest, SearchesAgreeOnListsAboveTheirBound) {
  const std::uint64_t wanted = memory::testing::NumCases(2'000, 100'000);
  std::uint64_t above = 0;
  for (std::uint64_t seed = 0; above < wanted; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    BufferList list = FullList(random, 12);
    for (ListedBuffer& buffer : list.buffers) {
      if (seed % 3 == 0 && Below(random, 3) == 0) buffer.alignment = 1 + Below(random, 3);
      if (seed % 3 == 1 && Below(random, 4) == 0) buffer.gaps = RandomGaps(random, buffer);
    }
    if (seed % 3 == 2) list.pools = {{"", std::nullopt, {{4, 4 + 1 + Below(random, 2)}}}};
    const Posed posed = Pose(list);
    const std::int64_t least = Searched(posed, true, false, seed);
    if (least == posed.problem.peak_bytes) continue;
    ++above;
    ASSERT_EQ(Searched(posed, true, true, seed), least);
    ASSERT_EQ(Searched(posed, false, seed % 2 == 0, seed), least);
  }
}

TEST(ConstraintsOracleTest, SearchesAgreeOnPlainListsAboveTheirLoad) {
  const std::uint64_t wanted = memory::testing::NumCases(25, 1'000);
  std::uint64_t above = 0;
  for (std::uint64_t seed = 0; above < wanted; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const BufferList list = FullList(random, 13);
    const Posed posed = Pose(list);
    const std::int64_t least = Searched(posed, true, true, seed);
    if (least == posed.problem.peak_bytes) continue;
    ++above;
    ASSERT_EQ(Searched(posed, false, true, seed), least);
    const auto found = AllocateList(list.buffers, {.seed = seed});
    ASSERT_TRUE(found.ok());
    ASSERT_EQ(found->arena_bytes, least);
    ASSERT_EQ(found->lower_bound_bytes, least);
  }
}

}  // namespace
}  // namespace opass::allocators
