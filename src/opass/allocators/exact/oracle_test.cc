// Both searches against brute force, on small random instances.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>
#include <string>
#include <utility>

#include "opass/allocators/exact/canonical_search.h"
#include "opass/allocators/exact/fit_search.h"
#include "opass/allocators/exact/minimise.h"
#include "opass/allocators/exact/portfolio.h"
#include "opass/memory/testing/num_cases.h"

namespace opass::allocators::exact_offsets {
namespace {

using Rectangles = std::vector<Rectangle>;
using Random = std::mt19937_64;

std::int64_t Below(Random& random, std::int64_t end) {
  return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(end));
}

// Any lifetimes.
Rectangles Scattered(Random& random) {
  Rectangles made;
  const std::int64_t count = 1 + Below(random, 7);
  const std::int64_t steps = 2 + Below(random, 8);
  const std::int64_t largest = 1 + Below(random, 6);
  for (std::int64_t i = 0; i < count; ++i) {
    const std::int64_t first = Below(random, steps);
    made.push_back({1 + Below(random, largest), first, first + 1 + Below(random, steps - first)});
  }
  return made;
}

// Every step is full: one or two end and make room for as much that begins. For a few in a
// thousand, no layout is as low as the load.
Rectangles Full(Random& random, std::size_t most) {
  Rectangles live;
  Rectangles made;
  const auto begin = [&](std::int64_t bytes, std::int64_t step) {
    while (bytes > 0) {
      const std::int64_t size = 1 + Below(random, std::min<std::int64_t>(bytes, 6));
      live.push_back({size, step, 0});
      bytes -= size;
    }
  };
  begin(4 + Below(random, 7), 0);
  std::int64_t step = 0;
  while (made.size() + live.size() + 2 < most && step < 13) {
    ++step;
    std::int64_t freed = 0;
    for (std::int64_t i = 1 + Below(random, 2); i > 0; --i) {
      const auto at = live.begin() + Below(random, static_cast<std::int64_t>(live.size()));
      if (at->first == step) continue;
      freed += at->size_bytes;
      made.push_back({at->size_bytes, at->first, step});
      live.erase(at);
      if (live.empty()) break;
    }
    begin(freed, step);
  }
  for (const Rectangle& left : live) made.push_back({left.size_bytes, left.first, step + 1});
  return made;
}

// The least height by trying every order on a skyline: independent of the search, on raw steps.
class Reference {
 public:
  explicit Reference(const Rectangles& rectangles, std::size_t most = 1000)
      : rectangles_(rectangles), most_(most) {
    for (const Rectangle& each : rectangles) steps_ = std::max(steps_, each.last);
  }

  // -1 when that takes too long.
  std::int64_t Least() {
    std::vector<std::int64_t> load(static_cast<std::size_t>(steps_), 0);
    std::int64_t height = 0;
    for (const Rectangle& each : rectangles_) {
      for (std::int64_t s = each.first; s < each.last; ++s) {
        height = std::max(height, load[static_cast<std::size_t>(s)] += each.size_bytes);
      }
    }
    for (;; ++height) {
      seen_.clear();
      if (Reaches(0, Skyline(load.size(), '\0'), height)) return height;
      if (seen_.size() > most_) return -1;
    }
  }

 private:
  using Skyline = std::string;  // small numbers, without allocations

  bool Reaches(std::uint32_t placed, const Skyline& skyline, std::int64_t height) {
    if (placed + 1 == std::uint32_t{1} << rectangles_.size()) return true;
    if (seen_.size() > most_ || !seen_.insert({placed, skyline}).second) return false;
    for (std::size_t b = 0; b < rectangles_.size(); ++b) {
      if ((placed >> b & 1) != 0) continue;
      const Rectangle& each = rectangles_[b];
      Skyline next = skyline;
      const auto from = next.begin() + each.first;
      const auto to = next.begin() + each.last;
      const std::int64_t top = *std::max_element(from, to) + each.size_bytes;
      if (top > height) continue;
      std::fill(from, to, static_cast<char>(top));
      if (Reaches(placed | std::uint32_t{1} << b, next, height)) return true;
    }
    return false;
  }

  const Rectangles& rectangles_;
  const std::size_t most_;  // states
  std::int64_t steps_ = 0;
  std::set<std::pair<std::uint32_t, Skyline>> seen_;
};

// One above the other.
Layout Stacked(const Instance& instance) {
  Layout layout;
  for (const std::int32_t size : instance.size) {
    layout.offsets.push_back(layout.height);
    layout.height += size;
  }
  return layout;
}

Layout LayoutOf(const Instance& instance, const std::vector<std::int32_t>& offsets) {
  Layout layout{offsets, 0};
  for (std::size_t b = 0; b < offsets.size(); ++b) {
    layout.height = std::max(layout.height, offsets[b] + instance.size[b]);
  }
  return layout;
}

// Both searches, in orders of all kinds, kept from capacity to capacity.
class Searches {
 public:
  Searches(const Instance& instance, Random& random, bool use_symmetry)
      : instance_(instance),
        random_(random),
        use_symmetry_(use_symmetry),
        fit_(instance),
        canonical_(instance) {}

  void Expect(std::int32_t capacity, Answer answer) {
    FitSettings fit = MakeSettings(instance_, DrawFit(random_), random_);
    fit.use_symmetry = use_symmetry_;
    Judge(fit_.Run(capacity, fit, kMostNodes), answer, capacity, fit_.offsets());
    const std::uint64_t run = random_() % 6;
    CanonicalSettings canonical =
        MakeSettings(instance_, run < 3 ? PlainCanonical(run) : DrawCanonical(random_), random_);
    canonical.use_symmetry = use_symmetry_;
    Judge(canonical_.Run(capacity, canonical, kMostNodes), answer, capacity, canonical_.offsets());
  }

 private:
  static constexpr std::uint64_t kMostNodes = 1'000'000;

  void Judge(Answer found, Answer expected, std::int32_t capacity,
             const std::vector<std::int32_t>& offsets) {
    ASSERT_EQ(found, expected) << "capacity " << capacity;
    if (found != Answer::kFits) return;
    const Layout layout = LayoutOf(instance_, offsets);
    ASSERT_LE(layout.height, capacity);
    ASSERT_TRUE(IsValid(instance_, layout));
  }

  const Instance& instance_;
  Random& random_;
  const bool use_symmetry_;
  FitSearch fit_;
  CanonicalSearch canonical_;
};

TEST(OracleTest, EveryAnswerIsThatOfBruteForce) {
  const auto wanted = static_cast<std::uint64_t>(memory::testing::NumCases(20'000, 1'000'000));
  for (std::uint64_t seed = 0, done = 0; done < wanted; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const Rectangles rectangles =
        seed % 4 == 0 ? Scattered(random) : Full(random, seed % 16 == 1 ? 14 : 10);
    ASSERT_LE(rectangles.size(), 20u);
    const std::int64_t least = Reference(rectangles).Least();
    if (least < 0) continue;
    ++done;
    const Instance instance = *MakeInstance(rectangles);
    ASSERT_EQ(least % instance.unit_bytes, 0);
    const auto optimum = static_cast<std::int32_t>(least / instance.unit_bytes);
    Searches searches(instance, random, seed % 3 != 0);
    for (std::int32_t capacity = std::max(0, optimum - 1); capacity <= optimum + 1; ++capacity) {
      const Answer answer = capacity < optimum ? Answer::kDoesNotFit : Answer::kFits;
      for (int i = 0; i < 2; ++i) searches.Expect(capacity, answer);
      if (HasFatalFailure()) return;
    }
    if (seed % 8 != 0) continue;
    const Minimised minimised = Minimise(instance, Stacked(instance), {.seed = seed});
    ASSERT_EQ(minimised.best.height, optimum);
    ASSERT_EQ(minimised.lower_bound, optimum);
    ASSERT_TRUE(IsValid(instance, minimised.best));
  }
}

// Where the load is no bound: true refutations, from the bound up to below the optimum.
TEST(OracleTest, RefutationsAboveTheLoadAreTrue) {
  const std::uint64_t wanted = memory::testing::NumCases(20, 2'000);
  for (std::uint64_t seed = 0, done = 0; done < wanted; ++seed) {
    ASSERT_LT(seed, 10'000 * wanted);  // such instances are not that rare
    SCOPED_TRACE(seed);
    Random random(seed);
    const Rectangles rectangles = Full(random, 13);
    const Instance instance = *MakeInstance(rectangles);
    CanonicalSearch quick(instance);
    const Answer answer = quick.Run(instance.max_load, {}, 1'000'000);
    ASSERT_NE(answer, Answer::kUnknown);
    if (answer == Answer::kFits) continue;
    const std::int64_t least = Reference(rectangles, 200'000).Least();
    if (least < 0) continue;
    ++done;
    const auto optimum = static_cast<std::int32_t>(least / instance.unit_bytes);
    ASSERT_GT(optimum, instance.max_load);
    for (const bool use_symmetry : {false, true}) {
      Searches searches(instance, random, use_symmetry);
      for (std::int32_t capacity = instance.max_load; capacity <= optimum; ++capacity) {
        searches.Expect(capacity, capacity < optimum ? Answer::kDoesNotFit : Answer::kFits);
      }
      if (HasFatalFailure()) return;
    }
    const Minimised minimised = Minimise(instance, Stacked(instance), {.seed = seed});
    ASSERT_EQ(minimised.best.height, optimum);
    ASSERT_EQ(minimised.lower_bound, optimum);
  }
}

}  // namespace
}  // namespace opass::allocators::exact_offsets
