#include "opass/bounds/cut_candidates.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <random>

namespace opass::bounds {
namespace {

TEST(CutCandidatesTest, EveryStepAboveTheBoundComesOnce) {
  std::mt19937_64 random(3);
  for (int i = 0; i < 300; ++i) {
    std::vector<std::int64_t> bytes(random() % 60);
    for (std::int64_t& step : bytes) step = static_cast<std::int64_t>(random() % 30);
    const std::int64_t bound = static_cast<std::int64_t>(random() % 25);
    CutCandidates candidates(bytes);
    std::vector<bool> seen(bytes.size(), false);
    while (const auto step = candidates.Next(bound)) {
      ASSERT_LT(*step, bytes.size());
      ASSERT_GT(bytes[*step], bound);
      ASSERT_FALSE(seen[*step]);
      seen[*step] = true;
      if (random() % 4 == 0) candidates.Raised();
    }
    EXPECT_EQ(std::ranges::count(seen, true),
              std::ranges::count_if(bytes, [&](std::int64_t b) { return b > bound; }));
  }
}

TEST(CutCandidatesTest, TheHighestFirst) {
  const std::vector<std::int64_t> bytes = {1, 2, 9, 3, 4};
  EXPECT_EQ(CutCandidates(bytes).Next(0), 2U);
}

TEST(CutCandidatesTest, SpreadOverAnOrderWhoseStepsAreAlike) {
  const std::vector<std::int64_t> bytes(1000, 5);
  CutCandidates candidates(bytes);
  std::vector<std::size_t> steps;
  for (int i = 0; i < 40; ++i) steps.push_back(candidates.Next(0).value());
  std::ranges::sort(steps);
  std::size_t widest = 1000 - steps.back();
  for (std::size_t i = 1; i < steps.size(); ++i) {
    widest = std::max(widest, steps[i] - steps[i - 1]);
  }
  EXPECT_LT(widest, 130U);
}

// The best step is 613 of 1000 and bounds fall with the distance from it.
TEST(CutCandidatesTest, ClimbsAHill) {
  const std::vector<std::int64_t> bytes(1000, 2000);
  CutCandidates candidates(bytes);
  std::int64_t bound = 0;
  for (int i = 0; i < 60; ++i) {
    const std::size_t step = candidates.Next(bound).value();
    const std::int64_t found = 1000 - std::abs(static_cast<std::int64_t>(step) - 613);
    if (found <= bound) continue;
    bound = found;
    candidates.Raised();
  }
  EXPECT_GE(bound, 999);
}

}  // namespace
}  // namespace opass::bounds
