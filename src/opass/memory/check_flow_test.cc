#include "opass/memory/check_flow.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <random>

namespace opass::memory::check {
namespace {

constexpr std::size_t kNodes = 7;  // 0 is the source, 1 the sink
using Capacities = std::array<std::array<std::int64_t, kNodes>, kNodes>;

// The least cut of all.
std::int64_t BruteForce(const Capacities& capacities) {
  std::int64_t least = kInfinite;
  for (unsigned set = 1; set < 1U << kNodes; set += 4) {  // with node 0, without node 1
    std::int64_t cut = 0;
    for (std::size_t i = 0; i < kNodes; ++i) {
      for (std::size_t j = 0; j < kNodes; ++j) {
        if ((set >> i & 1) == 1 && (set >> j & 1) == 0) cut += capacities[i][j];
      }
    }
    least = std::min(least, cut);
  }
  return least;
}

TEST(CheckFlowTest, IsTheLeastCut) {
  std::mt19937_64 random(5);
  for (int i = 0; i < 5000; ++i) {
    Capacities capacities{};
    Network network(2);
    for (std::size_t node = 2; node < kNodes; ++node) network.AddNode();
    for (std::size_t from = 0; from < kNodes; ++from) {
      for (std::size_t to = 0; to < kNodes; ++to) {
        if (random() % 3 > 0) continue;
        capacities[from][to] = static_cast<std::int64_t>(random() % 9);
        network.AddArc(from, to, capacities[from][to]);
      }
    }
    const std::int64_t least = BruteForce(capacities);
    std::uint64_t work = 0;
    const std::int64_t enough = static_cast<std::int64_t>(random() % 30);
    const std::int64_t flow = network.Flow(0, 1, enough, work).value();
    ASSERT_LE(flow, least) << "case " << i;
    ASSERT_GE(flow, std::min(least, enough)) << "case " << i;
  }
}

TEST(CheckFlowTest, EndsWhenTheWorkIsSpent) {
  Network network(2);
  network.AddArc(0, 1, 3);
  std::uint64_t work = kMaxWork + 1;
  EXPECT_FALSE(network.Flow(0, 1, 3, work));
}

}  // namespace
}  // namespace opass::memory::check
