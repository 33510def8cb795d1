#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "opass/memory/storage.h"
#include "opass/memory/testing/brute_force.h"
#include "opass/memory/testing/random_problem.h"

namespace opass::memory {
namespace {

std::vector<OpId> RandomOrder(const StorageGraph& graph, std::mt19937_64& random) {
  std::vector<std::size_t> waits(graph.num_ops());
  std::vector<OpId> ready;
  for (std::size_t i = 0; i < graph.num_ops(); ++i) {
    waits[i] = graph.op(OpId(i)).predecessors.size();
    if (waits[i] == 0) ready.push_back(OpId(i));
  }
  std::vector<OpId> order;
  while (!ready.empty()) {
    std::swap(ready[random() % ready.size()], ready.back());
    order.push_back(ready.back());
    ready.pop_back();
    for (const OpId next : graph.op(order.back()).successors) {
      if (--waits[next.index()] == 0) ready.push_back(next);
    }
  }
  return order;
}

TEST(OracleTest, RandomProblemsAreValidAndTheSameEachTime) {
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    const Problem problem = testing::RandomProblem(seed);
    const Status status = Validate(problem);
    ASSERT_TRUE(status.ok()) << "seed " << seed << ": " << status.error().ToString();
  }
  const Problem a = testing::RandomProblem(7, {.min_ops = 500, .max_ops = 500});
  const Problem b = testing::RandomProblem(7, {.min_ops = 500, .max_ops = 500});
  ASSERT_EQ(a.values.size(), b.values.size());
  for (std::size_t i = 0; i < a.values.size(); ++i) {
    EXPECT_EQ(a.values[i].size_bytes, b.values[i].size_bytes);
  }
}

TEST(OracleTest, EvaluateAgreesOnRandomOrders) {
  std::mt19937_64 random(1);
  for (std::uint64_t seed = 0; seed < 4000; ++seed) {
    const Problem problem = testing::RandomProblem(seed, {.max_ops = 30});
    const StorageGraph graph(problem);
    const std::vector<OpId> order = RandomOrder(graph, random);
    const Result<Schedule> schedule = Evaluate(graph, order);
    ASSERT_TRUE(schedule.ok()) << schedule.error().ToString();
    ASSERT_EQ(schedule->peak_bytes, testing::OraclePeak(problem, order)) << "seed " << seed;
  }
}

TEST(OracleTest, NoOrderBeatsTheBruteForceAndSomeOrderReachesIt) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const Problem problem = testing::RandomProblem(seed, {.max_ops = 6});
    const std::int64_t optimum = testing::BruteForcePeak(problem);
    std::vector<OpId> order;
    for (std::size_t i = 0; i < problem.ops.size(); ++i) order.push_back(OpId(i));
    const StorageGraph graph(problem);
    std::int64_t best = std::numeric_limits<std::int64_t>::max();
    do {
      const Result<Schedule> schedule = Evaluate(graph, order);
      if (schedule.ok()) best = std::min(best, schedule->peak_bytes);
    } while (std::next_permutation(order.begin(), order.end()));
    ASSERT_EQ(best, optimum) << "seed " << seed;
  }
}

}  // namespace
}  // namespace opass::memory
