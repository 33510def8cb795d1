#include "opass/allocators/exact/minimise.h"

#include <gtest/gtest.h>

#include <random>

#include "opass/allocators/exact/portfolio.h"

namespace opass::allocators::exact_offsets {
namespace {

using Rectangles = std::vector<Rectangle>;
using Random = std::mt19937_64;

std::int64_t Below(Random& random, std::int64_t end) {
  return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(end));
}

// One above the other.
Layout Stacked(const Instance& instance) {
  Layout layout;
  for (const std::int32_t size : instance.size) {
    layout.offsets.push_back(layout.height);
    layout.height += size;
  }
  return layout;
}

Instance Larger(std::uint64_t seed) {
  Random random(seed);
  Rectangles made;
  for (int i = 0; i < 60; ++i) {
    const std::int64_t first = Below(random, 40);
    made.push_back({1 + Below(random, 30), first, first + 1 + Below(random, 12)});
  }
  return *MakeInstance(made);
}

TEST(MinimiseTest, ThreadsDoNotChangeTheAnswer) {
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    const Instance instance = Larger(seed);
    for (const bool decide : {false, true}) {
      MinimiseOptions options{.seed = seed, .max_nodes = 4000};
      if (decide) options.capacity = instance.max_load;
      const Minimised one = Minimise(instance, Stacked(instance), options);
      options.threads = 3;
      const Minimised three = Minimise(instance, Stacked(instance), options);
      EXPECT_EQ(one.best.offsets, three.best.offsets);
      EXPECT_EQ(one.lower_bound, three.lower_bound);
    }
  }
}

TEST(MinimiseTest, TheIncumbentIsNeverLost) {
  const Instance instance = Larger(1);
  const Layout start = Stacked(instance);
  const Minimised none = Minimise(instance, start, {.max_nodes = 0});
  EXPECT_EQ(none.best.offsets, start.offsets);
  EXPECT_EQ(none.lower_bound, instance.max_load);
  const Minimised late = Minimise(instance, start, {.max_seconds = 0.0});
  EXPECT_LE(late.best.height, start.height);
}

TEST(MinimiseTest, ValidityIsRefusedForOverlapsAndWrongHeights) {
  const Instance instance = *MakeInstance(Rectangles{{2, 0, 3}, {4, 2, 5}});
  EXPECT_EQ(instance.unit_bytes, 2);
  EXPECT_EQ(instance.num_sections, 1);
  EXPECT_TRUE(IsValid(instance, {{0, 1}, 3}));
  EXPECT_FALSE(IsValid(instance, {{0, 0}, 2}));
  EXPECT_FALSE(IsValid(instance, {{0, 1}, 4}));
  EXPECT_FALSE(IsValid(instance, {{-1, 0}, 2}));
  EXPECT_FALSE(IsValid(instance, {{0}, 3}));
}

TEST(MinimiseTest, HugeSizesAreLeftToOthers) {
  constexpr std::int64_t kHuge = std::int64_t{1} << 61;
  EXPECT_FALSE(MakeInstance(Rectangles{{kHuge, 0, 1}, {kHuge - 1, 0, 1}}).has_value());
  EXPECT_TRUE(MakeInstance(Rectangles{{kHuge, 0, 1}, {kHuge, 0, 1}}).has_value());
  EXPECT_EQ(MakeInstance({})->num_sections, 0);
}

TEST(PortfolioTest, LubyNumbers) {
  constexpr std::uint64_t kFirst[] = {1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8};
  for (std::uint64_t run = 1; run <= 15; ++run) EXPECT_EQ(LubyNumber(run), kFirst[run - 1]);
}

}  // namespace
}  // namespace opass::allocators::exact_offsets
