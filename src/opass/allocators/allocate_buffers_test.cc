#include "opass/allocators/allocate_buffers.h"

#include <gtest/gtest.h>

#include <limits>
#include <random>
#include <string>

namespace opass::allocators {
namespace {

using Random = std::mt19937_64;

std::int64_t Below(Random& random, std::int64_t end) {
  return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(end));
}

BufferList TwoPools() {
  return {{{"a", 0, 3, 100}, {"b", 0, 3, 60}, {"c", 1, 3, 50}, {"d", 2, 5, 90}},
          {{"fast", 128}, {"slow", 210}}};
}

TEST(AllocateBuffersTest, BuffersWithoutAPoolGoWhereTheyFit) {
  const auto found = AllocateBuffers(TwoPools(), {});
  ASSERT_TRUE(found.ok());
  EXPECT_TRUE(found->has_choice);
  EXPECT_EQ(found->max_live_bytes, 300);
  ASSERT_EQ(found->pools.size(), 2u);
  EXPECT_LE(found->pools[0].arena_bytes, 128);
  EXPECT_LE(found->pools[1].arena_bytes, 210);
}

TEST(AllocateBuffersTest, ManyBuffersWithConstraintsHaveAGoodLayout) {
  BufferList list;
  Random random(3);
  for (std::int64_t i = 0; i < 200; ++i) {
    ListedBuffer buffer{std::to_string(i), Below(random, 100), 0, 1 + Below(random, 5000)};
    buffer.last = buffer.first + 1 + Below(random, 30);
    buffer.alignment = std::int64_t{1} << Below(random, 8);
    if (i % 50 == 0) buffer.pinned_offset = 8192 * (1 + i / 50);  // apart
    if (i % 3 == 0) buffer.gaps = {{buffer.first, buffer.first + 1}};
    if (i % 7 < 2 && i % 50 != 0) {
      buffer.group = std::to_string(i / 7);
      buffer.delta_bytes = 8192 * (i % 7);
    }
    list.buffers.push_back(std::move(buffer));
  }
  list.pools = {{"", std::nullopt, {{1000, 1100}, {50'000, 51'000}}}};
  const auto found = AllocateBuffers(list, {.seed = 1});  // has passed the check
  ASSERT_TRUE(found.ok()) << found.error().ToString();
  EXPECT_GT(found->pools[0].arena_bytes, found->pools[0].lower_bound_bytes);  // worth a test
  EXPECT_LT(found->pools[0].arena_bytes, found->pools[0].lower_bound_bytes * 5 / 4);
}

// Whatever the numbers: an answer that has passed the check, or an error of the input.
TEST(AllocateBuffersTest, NumbersBeyondAllMeasure) {
  constexpr std::int64_t kBig[] = {0,
                                   1,
                                   -1,
                                   5,
                                   std::int64_t{1} << 30,
                                   std::int64_t{1} << 59,
                                   (std::int64_t{1} << 60) - 1,
                                   std::int64_t{1} << 60,
                                   std::int64_t{1} << 61,
                                   std::int64_t{1} << 62,
                                   std::numeric_limits<std::int64_t>::max(),
                                   std::numeric_limits<std::int64_t>::min(),
                                   -(std::int64_t{1} << 60)};
  std::uint64_t placed = 0;
  for (std::uint64_t seed = 0; seed < 5000; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const auto any = [&](std::int64_t usual) {
      return random() % 6 == 0 ? kBig[random() % std::size(kBig)] : usual;
    };
    BufferList list;
    for (int i = 0; i < 4; ++i) {
      ListedBuffer buffer{"x", any(Below(random, 4)), any(4 + Below(random, 4)),
                          any(Below(random, 9))};
      if (random() % 3 == 0) buffer.alignment = any(1 + Below(random, 8));
      if (random() % 3 == 0) buffer.pinned_offset = any(buffer.alignment * Below(random, 2));
      if (random() % 4 == 0) buffer.gaps = {{any(4), any(5)}};
      if (random() % 3 == 0) {
        buffer.group = "g";
        buffer.delta_bytes = any(Below(random, 9));
      }
      list.buffers.push_back(std::move(buffer));
    }
    if (random() % 3 == 0) list.pools = {{"", any(100), {{any(2), any(4)}}}};
    const auto found = AllocateBuffers(list, {.seed = seed});
    placed += found.ok();
    if (found.ok()) continue;
    const ErrorCode code = found.error().code;
    ASSERT_TRUE(code == ErrorCode::kInvalidInput || code == ErrorCode::kNotPossible)
        << found.error().ToString();
  }
  EXPECT_GT(placed, 500u);
}

std::string ErrorOf(const BufferList& list) {
  const auto found = AllocateBuffers(list, {});
  return found.ok() ? "" : found.error().ToString();
}

TEST(AllocateBuffersTest, WhatContradictsItselfIsRefused) {
  const auto list = [](auto change) {
    BufferList made = {{{"a", 0, 3, 4}, {"b", 2, 4, 4}}};
    change(made);
    return made;
  };
  const std::pair<BufferList, std::string> cases[] = {
      {list([](BufferList& l) { l.buffers[0].alignment = 0; }), "a: alignment 0 is not from 1"},
      {list([](BufferList& l) {
         l.buffers[0].pinned_offset = 0;
         l.buffers[1].pinned_offset = 3;
       }),
       "the pins leave no layout: 'a' and 'b' overlap at step 2"},
      {list([](BufferList& l) {
         l.buffers[0].pinned_offset = 6;
         l.pools = {{"", std::nullopt, {{8, 9}}}};
       }),
       "the pins leave no layout: the offset of 'a' is 6, in a forbidden range"},
      {list([](BufferList& l) {
         for (ListedBuffer& buffer : l.buffers) buffer.group = "g";
         l.buffers[1].delta_bytes = 2;
         for (ListedBuffer& buffer : l.buffers) buffer.alignment = 4;
       }),
       "b: the alignments of group 'g' contradict each other"},
      {list([](BufferList& l) {
         for (ListedBuffer& buffer : l.buffers) buffer.group = "g";
         for (ListedBuffer& buffer : l.buffers)
           buffer.pinned_offset = 4 * (&buffer - &l.buffers[0]);
       }),
       "b: the pins of group 'g' contradict each other"},
      {list([](BufferList& l) {
         for (ListedBuffer& buffer : l.buffers) buffer.group = "g";
         l.buffers[0].delta_bytes = 4;
         l.buffers[0].pinned_offset = 0;
       }),
       "a: its pin puts another of group 'g' below 0"},
      {list([](BufferList& l) {
         for (ListedBuffer& buffer : l.buffers) buffer.group = "g";
         l.buffers[0].alignment = 4;
         l.buffers[1].pinned_offset = 6;
       }),
       "a: pins and alignments of group 'g' contradict each other"},
      {list([](BufferList& l) {
         for (ListedBuffer& buffer : l.buffers) buffer.group = "g";
         l.buffers[0].alignment = (1 << 30) - 1;
         l.buffers[1].alignment = 1 << 30;
       }),
       "b: the alignments of group 'g' together exceed 2^30"},
      {list([](BufferList& l) {
         for (ListedBuffer& buffer : l.buffers) buffer.group = "g";
         l.buffers[0].pool = "x";
         l.buffers[1].pool = "y";
       }),
       "b: group 'g' is in two pools"},
      {list([](BufferList& l) {
         l.buffers[0].pinned_offset = 0;
         l.pools = {{"x"}, {"y"}};
       }),
       "a: a pin needs a pool"},
      {list([](BufferList& l) {
         l.pools = {{"x"}, {"x"}};
       }),
       "pool 'x' twice"},
      {list([](BufferList& l) {
         l.pools = {{"x"}, {""}};
       }),
       "a pool without a name beside named"},
      {list([](BufferList& l) {
         l.pools = {{"x", -1}};
       }),
       "x: capacity is negative"},
      {list([](BufferList& l) {
         l.pools = {{"x", std::nullopt, {{5, 5}}}};
       }),
       "x: forbidden range 5:5 is empty"},
      {list([](BufferList& l) {
         for (ListedBuffer& buffer : l.buffers) buffer.size_bytes = std::int64_t{1} << 61;
         l.buffers[0].alignment = 2;
       }),
       "sizes, alignments, deltas and pins together exceed 2^62"},
  };
  for (const auto& [bad, message] : cases) {
    EXPECT_EQ(ErrorOf(bad).substr(0, message.size()), message);
  }
}

TEST(AllocateBuffersTest, AGroupHasAMostNumberOfBuffers) {
  BufferList list;
  for (int i = 0; i <= 4096; ++i) {
    list.buffers.push_back({"x", i, i + 1, 1});
    list.buffers.back().group = "g";
  }
  EXPECT_EQ(ErrorOf(list), "x: group 'g' has more than 4096 buffers and gaps");
}

}  // namespace
}  // namespace opass::allocators
