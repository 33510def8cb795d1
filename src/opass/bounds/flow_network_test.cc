#include "opass/bounds/flow_network.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <random>
#include <vector>

namespace opass::bounds {
namespace {

constexpr FlowNetwork::Node kSource = FlowNetwork::kSource;
constexpr FlowNetwork::Node kSink = FlowNetwork::kSink;

TEST(FlowNetworkTest, SmallestMinimumCut) {
  // source -3-> a -2-> b -2-> sink: two minimum cuts of 2; the smaller source side holds a alone.
  FlowNetwork network;
  network.Clear();
  const auto a = network.AddNode();
  const auto b = network.AddNode();
  network.AddEdge(kSource, a, 3);
  network.AddEdge(a, b, 2);
  network.AddEdge(b, kSink, 2);
  std::uint64_t work = 1000;
  EXPECT_EQ(network.Maximize(work), FlowNetwork::Outcome::kMaximum);
  EXPECT_EQ(network.flow(), 2);
  EXPECT_TRUE(network.OnSourceSide(a));
  EXPECT_FALSE(network.OnSourceSide(b));
}

TEST(FlowNetworkTest, StopsWhenTheWorkIsDone) {
  FlowNetwork network;
  network.Clear();
  FlowNetwork::Node last = kSource;
  for (int i = 0; i < 100; ++i) {
    const auto next = network.AddNode();
    network.AddEdge(last, next, 5);
    last = next;
  }
  network.AddEdge(last, kSink, 5);
  std::uint64_t work = 50;
  EXPECT_EQ(network.Maximize(work), FlowNetwork::Outcome::kOutOfWork);
  EXPECT_LE(network.flow(), 5);
  EXPECT_EQ(work, 0u);
}

TEST(FlowNetworkTest, LongPathsNeedNoStack) {
  FlowNetwork network;
  network.Clear();
  FlowNetwork::Node last = kSource;
  for (int i = 0; i < 300'000; ++i) {
    const auto next = network.AddNode();
    network.AddEdge(last, next, i == 0 ? 7 : FlowNetwork::kUnbounded);
    last = next;
  }
  network.AddEdge(last, kSink, FlowNetwork::kUnbounded);
  std::uint64_t work = 10'000'000;
  EXPECT_EQ(network.Maximize(work), FlowNetwork::Outcome::kMaximum);
  EXPECT_EQ(network.flow(), 7);
}

struct TestEdge {
  std::uint32_t from;
  std::uint32_t to;
  std::int64_t capacity;
};

// The least capacity over all 2^nodes cuts.
std::int64_t BruteForceCut(std::uint32_t num_nodes, const std::vector<TestEdge>& edges) {
  std::int64_t best = std::numeric_limits<std::int64_t>::max();
  for (std::uint32_t side = 0; side < (1u << num_nodes); ++side) {
    if ((side >> kSource & 1) == 0 || (side >> kSink & 1) == 1) continue;
    std::int64_t cut = 0;
    for (const TestEdge& edge : edges) {
      if ((side >> edge.from & 1) == 1 && (side >> edge.to & 1) == 0) cut += edge.capacity;
    }
    best = std::min(best, cut);
  }
  return best;
}

TEST(FlowNetworkTest, EqualsTheBestOfAllCuts) {
  std::mt19937_64 random(3);
  FlowNetwork network;  // the same one again and again
  for (int round = 0; round < 1000; ++round) {
    const std::uint32_t num_nodes = 2 + static_cast<std::uint32_t>(random() % 7);
    network.Clear();
    while (network.num_nodes() < num_nodes) network.AddNode();
    std::vector<TestEdge> edges(random() % 25);
    for (TestEdge& edge : edges) {
      edge = {static_cast<std::uint32_t>(random() % num_nodes),
              static_cast<std::uint32_t>(random() % num_nodes),
              static_cast<std::int64_t>(random() % 20)};
      if (edge.from == edge.to) edge.capacity = 0;
      network.AddEdge(edge.from, edge.to, edge.capacity);
    }
    std::uint64_t work = 1'000'000;
    ASSERT_EQ(network.Maximize(work), FlowNetwork::Outcome::kMaximum);
    ASSERT_EQ(network.flow(), BruteForceCut(num_nodes, edges)) << round;
    std::int64_t cut = 0;
    for (const TestEdge& edge : edges) {
      const bool cuts = network.OnSourceSide(edge.from) && !network.OnSourceSide(edge.to);
      if (cuts) cut += edge.capacity;
    }
    ASSERT_EQ(cut, network.flow()) << round;
  }
}

}  // namespace
}  // namespace opass::bounds
