#include "opass/memory/extent_overlaps.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace opass::memory::check {
namespace {

bool Takes(const Extent& later, const Extent& earlier) {
  return earlier.family != kNoFamily && later.taken_family == earlier.family &&
         earlier.last == later.first + 1;
}

// The definition: every pair.
bool Collide(const Extent& a, const Extent& b) {
  const bool bytes = std::max(a.begin, b.begin) < std::min(a.end, b.end);
  const bool steps = std::max(a.first, b.first) < std::min(a.last, b.last);
  return bytes && steps && !(b.first >= a.first && Takes(b, a)) &&
         !(a.first >= b.first && Takes(a, b));
}

bool AnyCollide(const std::vector<Extent>& extents) {
  for (std::size_t i = 0; i < extents.size(); ++i) {
    for (std::size_t j = i + 1; j < extents.size(); ++j) {
      if (Collide(extents[i], extents[j])) return true;
    }
  }
  return false;
}

std::vector<Extent> RandomExtents(std::mt19937_64& random) {
  const auto below = [&](std::uint64_t n) { return static_cast<std::int64_t>(random() % n); };
  std::vector<Extent> extents(1 + static_cast<std::size_t>(below(12)));
  const std::uint64_t room = 4 + random() % 60;
  for (std::size_t i = 0; i < extents.size(); ++i) {
    Extent& extent = extents[i];
    extent.begin = below(room);
    extent.end = extent.begin + below(8);  // empty ones too
    extent.first = below(10);
    extent.last = extent.first + below(5);
    if (below(5) > 0) extent.family = i;
    if (i == 0 || below(3) > 0) continue;
    // Mostly at the step where the other one dies, and mostly on its bytes.
    const Extent& other = extents[static_cast<std::size_t>(below(i))];
    extent.taken_family = other.family;
    if (below(8) > 0 && other.last > other.first) extent.first = other.last - 1;
    extent.last = extent.first + below(5);
    if (below(8) > 0) extent.begin = other.begin;
    extent.end = extent.begin + std::min(below(8), other.end - other.begin);
    extent.end = std::max(extent.end, extent.begin);
  }
  return extents;
}

TEST(ExtentOverlapsTest, SaysWhatAllPairsSay) {
  std::mt19937_64 random(7);
  int colliding = 0;
  for (int i = 0; i < 100'000; ++i) {
    const std::vector<Extent> extents = RandomExtents(random);
    const auto found = FindOverlap(extents);
    ASSERT_EQ(found.has_value(), AnyCollide(extents)) << "case " << i;
    if (!found) continue;
    ++colliding;
    const Extent& earlier = extents[found->earlier];
    const Extent& later = extents[found->later];
    ASSERT_TRUE(Collide(earlier, later)) << "case " << i;
    ASSERT_LE(earlier.first, later.first) << "case " << i;
  }
  EXPECT_GT(colliding, 20'000);
  EXPECT_LT(colliding, 80'000);
}

TEST(ExtentOverlapsTest, ATakeoverHidesNoOther) {
  // 1 takes over the low bytes of 0 while 2, born at the same step, lands on its high ones.
  std::vector<Extent> extents = {
      {0, 8, 0, 3, 0, kNoFamily}, {0, 4, 2, 5, 1, 0}, {4, 8, 2, 5, 2, kNoFamily}};
  const auto found = FindOverlap(extents);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->earlier, 0U);
  EXPECT_EQ(found->later, 2U);
  extents[2].first = 3;
  EXPECT_FALSE(FindOverlap(extents));
}

// Comparing all pairs would take minutes.
TEST(ExtentOverlapsTest, ManyExtentsThatLiveAtTheSameTime) {
  std::vector<Extent> extents;
  for (std::int64_t i = 0; i < 100'000; ++i) {
    extents.push_back({2 * i, 2 * i + 2, i, 200'000 - i, static_cast<std::size_t>(i), kNoFamily});
  }
  EXPECT_FALSE(FindOverlap(extents));
  extents[50'000].begin -= 1;
  EXPECT_TRUE(FindOverlap(extents));
}

}  // namespace
}  // namespace opass::memory::check
