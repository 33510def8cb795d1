#include "opass/allocators/buffer_list.h"

#include <gtest/gtest.h>

#include <random>

#include "opass/allocators/allocate_list.h"
#include "opass/allocators/buffer_list_csv.h"
#include "opass/allocators/check_layout.h"

namespace opass::allocators {
namespace {

using Buffers = std::vector<ListedBuffer>;

std::int64_t Below(std::mt19937_64& random, std::int64_t end) {
  return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(end));
}

// The judge of small lists: every pair.
bool AnyOverlap(const Buffers& buffers, const std::vector<std::int64_t>& offsets) {
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const bool meet = buffers[i].first < buffers[j].last && buffers[j].first < buffers[i].last;
      if (meet && offsets[i] < offsets[j] + buffers[j].size_bytes &&
          offsets[j] < offsets[i] + buffers[i].size_bytes) {
        return true;
      }
    }
  }
  return false;
}

Buffers RandomList(std::uint64_t seed, std::int64_t count, std::int64_t steps) {
  std::mt19937_64 random(seed);
  Buffers made;
  for (std::int64_t i = 0; i < count; ++i) {
    const std::int64_t first = Below(random, steps);
    made.push_back({std::to_string(i), first, first + 1 + Below(random, 5), 1 + Below(random, 9)});
  }
  return made;
}

TEST(BufferListTest, TheSweepFindsWhatPairsFind) {
  std::size_t refused = 0;
  for (std::uint64_t seed = 0; seed < 3000; ++seed) {
    const Buffers buffers = RandomList(seed, 5, 12);
    std::mt19937_64 random(seed);
    std::vector<std::int64_t> offsets;
    for (std::size_t i = 0; i < buffers.size(); ++i) offsets.push_back(Below(random, 30));
    const Status status = CheckOffsets(buffers, offsets);
    ASSERT_EQ(status.ok(), !AnyOverlap(buffers, offsets)) << "seed " << seed;
    refused += !status.ok();
  }
  EXPECT_GT(refused, 300u);
  EXPECT_LT(refused, 2700u);
}

TEST(BufferListTest, TheSweepNamesWhatIsWrong) {
  const Buffers two = {{"a", 0, 3, 4}, {"b", 2, 4, 4}};
  EXPECT_EQ(CheckOffsets(two, std::vector<std::int64_t>{0, 3}).error().message,
            "'a' and 'b' overlap at step 2");
  EXPECT_EQ(CheckOffsets(two, std::vector<std::int64_t>{0, -1}).error().message,
            "the offset of 'b' is -1");
  EXPECT_EQ(CheckOffsets(two, std::vector<std::int64_t>{0}).error().message,
            "another number of offsets than buffers");
}

TEST(BufferListTest, AllocationsAreValidAndBoundedAndTheSameAgain) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const Buffers buffers = RandomList(seed, 30, 25);
    AllocateOptions options{.seed = seed};
    const auto found = AllocateList(buffers, options);
    ASSERT_TRUE(found.ok());
    EXPECT_FALSE(AnyOverlap(buffers, found->offsets));
    EXPECT_GE(found->arena_bytes, found->lower_bound_bytes);
    EXPECT_GE(found->lower_bound_bytes, found->max_live_bytes);
    options.threads = 2;
    EXPECT_EQ(AllocateList(buffers, options)->offsets, found->offsets);
  }
}

TEST(BufferListTest, WhatIsWrittenIsReadAgain) {
  const Buffers buffers = {{"a", -5, 3, 4}, {"", 2, 4, 0}};
  const std::string csv = BufferListToCsv(buffers, std::vector<std::int64_t>{7, 0});
  EXPECT_EQ(csv, "id,lower,upper,size,offset\na,-5,3,4,7\n,2,4,0,0\n");
  const auto again = ParseBufferList(csv, "x.csv");
  ASSERT_TRUE(again.ok());
  EXPECT_EQ(BufferListToCsv(*again, std::vector<std::int64_t>{7, 0}), csv);
  EXPECT_EQ(ParseBufferList("id,lower,upper,size\na,1,1,1", "x.csv").error().ToString(),
            "x.csv:2: upper is not above lower");
}

TEST(BufferListTest, ConstraintsAreWrittenAndReadAgain) {
  const std::string csv =
      "id,lower,upper,size,alignment,gaps,pin,pool,group,delta,offset\n"
      "a,-5,9,4,64,-4--2 3-5,128,fast,,0,128\n"
      "b,2,4,8,1,,,slow,g,-3,7\n";
  const auto read = ParseBufferList(csv, "x.csv");
  ASSERT_TRUE(read.ok()) << read.error().ToString();
  const ListedBuffer& a = (*read)[0];
  EXPECT_EQ(a.alignment, 64);
  ASSERT_EQ(a.gaps.size(), 2u);
  EXPECT_EQ(a.gaps[0].first, -4);
  EXPECT_EQ(a.gaps[1].last, 5);
  EXPECT_EQ(a.pinned_offset, 128);
  EXPECT_EQ(a.pool, "fast");
  EXPECT_EQ((*read)[1].group, "g");
  EXPECT_EQ((*read)[1].delta_bytes, -3);
  EXPECT_EQ(BufferListToCsv(*read, std::vector<std::int64_t>{128, 7}), csv);
  const std::vector<std::string> pools = {"x", "y"};
  const Buffers plain = {{"a", 0, 3, 4}, {"b", 2, 4, 4}};
  EXPECT_EQ(BufferListToCsv(plain, std::vector<std::int64_t>{0, 4}, pools),
            "id,lower,upper,size,pool,offset\na,0,3,4,x,0\nb,2,4,4,y,4\n");
}

TEST(BufferListTest, TheJudgeRefusesEachBrokenConstraint) {
  Buffers buffers = {{"a", 0, 4, 4}, {"b", 0, 4, 4}, {"c", 0, 4, 4}};
  buffers[0].alignment = 4;
  buffers[1].pinned_offset = 8;
  buffers[1].pool = "p";
  for (std::size_t i : {0, 2}) buffers[i].group = "g";
  buffers[2].delta_bytes = 2;
  const std::vector<Pool> pools = {{"p", std::nullopt, {{20, 24}}}, {"q"}};
  const auto judge = [&](std::vector<std::int64_t> offsets, std::vector<std::size_t> in = {0, 0, 0},
                         std::vector<std::int64_t> arenas = {32, 32}) {
    const Status status = CheckLayout(buffers, pools, {offsets, in, arenas});
    return status.ok() ? "" : status.error().message;
  };
  EXPECT_EQ(judge({0, 8, 2}), "");  // a and c share bytes: one group
  EXPECT_EQ(judge({0, 8}), "another number of offsets than buffers");
  EXPECT_EQ(judge({0, 8, 2}, {0, 0, 0}, {32}), "another number of arenas");
  EXPECT_EQ(judge({0, 8, 2}, {0, 0, 2}), "a pool that there is not");
  EXPECT_EQ(judge({0, 8, 2}, {0, 1, 0}), "'b' lies in pool 'q'");
  EXPECT_EQ(judge({0, 8, 2}, {0, 0, 1}), "group 'g' lies in two pools");
  EXPECT_EQ(judge({-4, 8, -2}), "the offset of 'a' is -4, below 0");
  EXPECT_EQ(judge({2, 8, 4}), "the offset of 'a' is 2, off its alignment");
  EXPECT_EQ(judge({0, 4, 2}), "the offset of 'b' is 4, not its pin");
  EXPECT_EQ(judge({0, 8, 3}), "the offset of 'c' is 3, not at its distance in its group");
  EXPECT_EQ(judge({20, 8, 22}), "the offset of 'a' is 20, in a forbidden range");
  EXPECT_EQ(judge({32, 8, 34}), "the offset of 'a' is 32, and its end is beyond the arena");
  EXPECT_EQ(judge({4, 8, 6}), "'b' and 'c' overlap at step 0");
  buffers[1].gaps = {{0, 2}, {3, 4}};
  EXPECT_EQ(judge({4, 8, 6}), "'c' and 'b' overlap at step 2");
  buffers[1].gaps = {{0, 4}};
  EXPECT_EQ(judge({4, 8, 6}), "");
}

// Random groups and gaps: the judge's sweep against every pair at every step.
TEST(BufferListTest, TheJudgeFindsWhatPairsFind) {
  std::size_t refused = 0;
  for (std::uint64_t seed = 0; seed < 3000; ++seed) {
    Buffers buffers = RandomList(seed, 6, 8);
    std::mt19937_64 random(seed);
    std::vector<std::int64_t> offsets;
    for (ListedBuffer& buffer : buffers) {
      offsets.push_back(Below(random, 25));
      buffer.group = std::vector<std::string>{"", "g", "h"}[Below(random, 3)];
      if (!buffer.group.empty()) buffer.delta_bytes = offsets.back();
      const std::int64_t gap = buffer.first + Below(random, buffer.last - buffer.first);
      if (Below(random, 2) == 0) buffer.gaps = {{gap, gap + 1}};
    }
    const auto lives = [&](std::size_t i, std::int64_t step) {
      const ListedBuffer& b = buffers[i];
      return b.first <= step && step < b.last && (b.gaps.empty() || b.gaps[0].first != step);
    };
    bool overlap = false;
    for (std::size_t i = 0; i < buffers.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        if (!buffers[i].group.empty() && buffers[i].group == buffers[j].group) continue;
        if (offsets[i] >= offsets[j] + buffers[j].size_bytes ||
            offsets[j] >= offsets[i] + buffers[i].size_bytes) {
          continue;
        }
        for (std::int64_t k = 0; k < 16; ++k) overlap = overlap || (lives(i, k) && lives(j, k));
      }
    }
    const std::vector<Pool> pools(1);
    const ListLayout layout{offsets, std::vector<std::size_t>(buffers.size(), 0), {100}};
    ASSERT_EQ(CheckLayout(buffers, pools, layout).ok(), !overlap) << "seed " << seed;
    refused += overlap;
  }
  EXPECT_GT(refused, 300u);
  EXPECT_LT(refused, 2700u);
}

}  // namespace
}  // namespace opass::allocators
