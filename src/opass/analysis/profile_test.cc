#include "opass/analysis/profile.h"

#include <gtest/gtest.h>

#include <numeric>

#include "opass/memory/testing/random_problem.h"

namespace opass::analysis {
namespace {

// What is told to be live at the peak sums up to it, whatever is shared or taken over.
TEST(ProfilePeak, SumsUpToThePeak) {
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    const memory::Problem problem = memory::testing::RandomProblem(seed, {});
    if (problem.ops.empty()) continue;
    const memory::StorageGraph graph(problem);
    std::vector<memory::OpId> order;
    for (std::size_t i = 0; i < problem.ops.size(); ++i) order.push_back(memory::OpId(i));
    const auto schedule = memory::Evaluate(graph, order);
    ASSERT_TRUE(schedule.ok());
    const PeakProfile profile = ProfilePeak(graph, *schedule);
    std::int64_t sum = profile.workspace_bytes;
    for (const LiveStorage& live : profile.live) sum += live.size_bytes;
    EXPECT_EQ(sum, schedule->step_bytes[static_cast<std::size_t>(profile.step)]) << seed;
  }
}

}  // namespace
}  // namespace opass::analysis
