#include "opass/allocators/buffer_list.h"

#include <gtest/gtest.h>

#include <random>

#include "opass/allocators/allocate_list.h"

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

}  // namespace
}  // namespace opass::allocators
