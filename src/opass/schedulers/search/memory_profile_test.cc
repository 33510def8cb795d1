#include "opass/schedulers/search/memory_profile.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <random>

namespace opass::schedulers {
namespace {

using Steps = std::vector<ProfileSegment>;

Steps RandomSteps(std::mt19937_64& random, OpChains& chains) {
  Steps steps(random() % 7);
  std::int64_t live = 0;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const std::int64_t end = live + static_cast<std::int64_t>(random() % 9) - 4;
    steps[i].hill_bytes = std::max(live, end) + static_cast<std::int64_t>(random() % 4);
    steps[i].end_bytes = live = end;
    steps[i].ops = chains.Of(memory::OpId(i));
  }
  return steps;
}

std::int64_t Live(const Steps& steps, std::size_t taken) {
  return taken == 0 ? 0 : steps[taken - 1].end_bytes;
}

// The least peak of all ways to mix the two, by dynamic programming over the pairs of numbers of
// steps taken.
std::int64_t BestMix(const Steps& a, const Steps& b) {
  constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();
  std::vector<std::vector<std::int64_t>> peak(a.size() + 1,
                                              std::vector<std::int64_t>(b.size() + 1, kNever));
  peak[0][0] = 0;
  for (std::size_t i = 0; i <= a.size(); ++i) {
    for (std::size_t k = 0; k <= b.size(); ++k) {
      if (i > 0) {
        const std::int64_t hill = a[i - 1].hill_bytes + Live(b, k);
        peak[i][k] = std::min(peak[i][k], std::max(peak[i - 1][k], hill));
      }
      if (k > 0) {
        const std::int64_t hill = b[k - 1].hill_bytes + Live(a, i);
        peak[i][k] = std::min(peak[i][k], std::max(peak[i][k - 1], hill));
      }
    }
  }
  return peak[a.size()][b.size()];
}

std::int64_t PeakOf(const Steps& steps) {
  std::int64_t peak = 0;
  for (const ProfileSegment& step : steps) peak = std::max(peak, step.hill_bytes);
  return peak;
}

std::vector<memory::OpId> OpsOf(const Steps& steps, const OpChains& chains) {
  std::vector<memory::OpId> ops;
  for (const ProfileSegment& step : steps) {
    for (const memory::OpId op : chains.Flat(step.ops)) ops.push_back(op);
  }
  return ops;
}

TEST(MemoryProfileTest, KeepsStepsPeakAndEnd) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 3000; ++i) {
    OpChains chains;
    const Steps steps = RandomSteps(random, chains);
    const MemoryProfile profile = ProfileOf(steps, chains);
    ASSERT_EQ(OpsOf(profile.segments, chains), OpsOf(steps, chains));
    ASSERT_EQ(profile.peak_bytes(), PeakOf(steps));
    ASSERT_EQ(profile.end_bytes(), Live(steps, steps.size()));
    const auto falling = profile.falling();
    for (std::size_t k = 1; k < falling.size(); ++k) {
      ASSERT_LT(falling[k - 1].hill_bytes, falling[k].hill_bytes);
      ASSERT_GT(falling[k - 1].end_bytes, falling[k].end_bytes);
    }
    const auto rising = profile.rising();
    for (std::size_t k = 1; k < rising.size(); ++k) {
      ASSERT_GT(rising[k - 1].hill_bytes, rising[k].hill_bytes);
      ASSERT_LT(rising[k - 1].end_bytes, rising[k].end_bytes);
    }
  }
}

TEST(MemoryProfileTest, MergesAsWellAsAnyMix) {
  std::mt19937_64 random(2);
  for (int i = 0; i < 5000; ++i) {
    OpChains chains;
    const Steps a = RandomSteps(random, chains);
    const Steps b = RandomSteps(random, chains);
    const Steps c = RandomSteps(random, chains);
    const MemoryProfile profile_a = ProfileOf(a, chains);
    const MemoryProfile profile_b = ProfileOf(b, chains);
    const Steps mixed = MergeProfiles(std::vector{&profile_a, &profile_b});
    ASSERT_EQ(PeakOf(mixed), BestMix(a, b));
    // The mix is as good as its parts to a third.
    const MemoryProfile profile_c = ProfileOf(c, chains);
    const Steps all = MergeProfiles(std::vector{&profile_a, &profile_b, &profile_c});
    const std::int64_t best = BestMix(mixed, c);
    ASSERT_EQ(PeakOf(all), best);
    ASSERT_EQ(best, BestMix(MergeProfiles(std::vector{&profile_b, &profile_c}), a));
  }
}

TEST(MemoryProfileTest, OneThatDominatesIsNeverWorse) {
  std::mt19937_64 random(3);
  int num_dominating = 0;
  for (int i = 0; i < 20'000; ++i) {
    OpChains chains;
    const Steps a = RandomSteps(random, chains);
    const Steps b = RandomSteps(random, chains);
    if (Live(a, a.size()) != Live(b, b.size())) continue;
    const bool dominates = Dominates(ProfileOf(a, chains), ProfileOf(b, chains));
    num_dominating += dominates ? 1 : 0;
    for (int k = 0; dominates && k < 60; ++k) {
      const Steps other = RandomSteps(random, chains);
      ASSERT_LE(BestMix(a, other), BestMix(b, other));
    }
  }
  EXPECT_GT(num_dominating, 500);
}

}  // namespace
}  // namespace opass::schedulers
