#include "opass/allocators/exact/portfolio.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <numeric>

namespace opass::allocators::exact_offsets {
namespace {

constexpr int kNumKeys = 7;

// Buffers of a larger key go first. Products and quotients only, and sums of quotients: the same on
// every machine.
double KeyOf(const Instance& instance, std::size_t b, int key) {
  const double width = instance.last[b] - instance.first[b];
  const double size = instance.size[b];
  const auto loads = instance.load.begin();
  const double load = *std::max_element(loads + instance.first[b], loads + instance.last[b]);
  switch (key) {
    case 0:
      return width + width * size / 1e9;
    case 1:
      return load + width * size / 1e6;
    case 2:
      return load + width / 1e3;
    case 3:
      return width * size;
    case 4:
      return size;
    case 5:
      return std::sqrt(width) * size;
    default:
      return load + size / 1e6;
  }
}

double UnitOf(std::mt19937_64& random) {
  return static_cast<double>(random() >> 11) / 9007199254740992.0;
}

template <typename T, std::size_t N>
T OneOf(std::mt19937_64& random, const std::array<T, N>& values) {
  return values[random() % N];
}

// Between 1 - x and 1 + x, where 2 x is the noise.
double Factor(int noise_percent, std::mt19937_64& random) {
  return (100 + noise_percent * (UnitOf(random) - 0.5)) / 100;
}

}  // namespace

std::uint64_t LubyNumber(std::uint64_t run) {
  while (!std::has_single_bit(run + 1)) run -= std::bit_floor(run + 1) - 1;
  return (run + 1) / 2;
}

FitDraw DrawFit(std::mt19937_64& random) {
  constexpr std::array kRules = {SectionRule::kFewestOptions, SectionRule::kLeastSlack,
                                 SectionRule::kMostFailures, SectionRule::kFewestOptions};
  FitDraw draw;
  draw.key = static_cast<int>(random() % kNumKeys);
  draw.noise_percent = OneOf(random, std::array{3, 10, 20, 40, 80});
  draw.settings.loss_weight = OneOf(random, std::array<std::int64_t, 5>{0, 3, 10, 30, 100});
  draw.settings.section_rule = OneOf(random, kRules);
  draw.settings.waste_last = random() % 3 != 0;
  return draw;
}

FitSettings MakeSettings(const Instance& instance, const FitDraw& draw, std::mt19937_64& random) {
  std::vector<double> key(instance.num_buffers());
  std::vector<std::int32_t> order(key.size());
  std::iota(order.begin(), order.end(), 0);
  for (std::size_t b = 0; b < key.size(); ++b) {
    key[b] = KeyOf(instance, b, draw.key) * Factor(draw.noise_percent, random);
  }
  std::stable_sort(order.begin(), order.end(), [&](std::int32_t a, std::int32_t b) {
    return key[static_cast<std::size_t>(a)] > key[static_cast<std::size_t>(b)];
  });
  FitSettings settings = draw.settings;
  settings.rank.resize(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    settings.rank[static_cast<std::size_t>(order[i])] = static_cast<std::int32_t>(i);
  }
  return settings;
}

CanonicalDraw DrawCanonical(std::mt19937_64& random) {
  CanonicalDraw draw;
  constexpr std::array kKeys = {OrderKey::kSteps, OrderKey::kArea, OrderKey::kLoad,
                                OrderKey::kSize};
  for (OrderKey& key : draw.settings.keys) key = OneOf(random, kKeys);
  draw.noise_percent = OneOf(random, std::array{3, 10, 20, 40, 80});
  return draw;
}

CanonicalDraw PlainCanonical(std::uint64_t run) {
  constexpr OrderKey kSteps = OrderKey::kSteps;
  constexpr OrderKey kArea = OrderKey::kArea;
  constexpr OrderKey kLoad = OrderKey::kLoad;
  constexpr std::array<std::array<OrderKey, 3>, 3> kOrders = {
      {{kSteps, kArea, kLoad}, {kLoad, kArea, kSteps}, {kLoad, kSteps, kArea}}};
  CanonicalDraw draw;
  draw.settings.keys = kOrders[run % kOrders.size()];
  return draw;
}

CanonicalSettings MakeSettings(const Instance& instance, const CanonicalDraw& draw,
                               std::mt19937_64& random) {
  CanonicalSettings settings = draw.settings;
  if (draw.noise_percent == 0) return settings;
  for (std::size_t b = 0; b < instance.num_buffers(); ++b) {
    settings.factors.push_back(Factor(draw.noise_percent, random));
  }
  return settings;
}

}  // namespace opass::allocators::exact_offsets
