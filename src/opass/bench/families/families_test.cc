#include "opass/bench/families/families.h"

#include <gtest/gtest.h>

#include "opass/memory/problem_json.h"
#include "opass/memory/storage.h"

namespace opass::bench {
namespace {

std::int64_t FileOrderPeak(const memory::Problem& problem) {
  const memory::StorageGraph graph(problem);
  std::vector<memory::OpId> order;
  for (std::size_t i = 0; i < problem.ops.size(); ++i) order.emplace_back(i);
  return memory::Evaluate(graph, order)->peak_bytes;
}

TEST(FamiliesTest, MembersAreValidAndOfAboutTheSize) {
  for (const Family& family : Families()) {
    for (const bool in_place : {false, true}) {
      const memory::Problem problem = MakeMember(family, 200, 3, in_place);
      EXPECT_TRUE(memory::Validate(problem).ok()) << problem.name;
      EXPECT_GE(problem.ops.size(), 50U) << problem.name;
      EXPECT_LE(problem.ops.size(), 400U) << problem.name;
    }
  }
}

TEST(FamiliesTest, SeedsAndSharingMatter) {
  for (const std::string_view name : {"ws", "layered", "sp", "inception"}) {
    const Family& family = *FindFamily(name);
    const auto text = [&](std::uint64_t seed, bool in_place) {
      memory::Problem problem = MakeMember(family, 100, seed, in_place);
      problem.name.clear();
      return memory::ProblemToJson(problem);
    };
    EXPECT_EQ(text(1, false), text(1, false));
    EXPECT_NE(text(1, false), text(2, false));
    EXPECT_NE(text(1, false), text(1, true));
  }
  EXPECT_EQ(FindFamily("no_such_family"), nullptr);
}

// The figures of the study: the same graphs, not only the same kinds of graphs.
TEST(FamiliesTest, FileOrdersHaveThePeaksOfTheStudy) {
  const std::pair<std::string_view, std::int64_t> kPeaks[] = {
      {"layered", 4778}, {"ws", 728}, {"pyramid", 128}, {"grid", 190}, {"er", 240}, {"sp", 774}};
  for (const auto& [name, peak] : kPeaks) {
    EXPECT_EQ(FileOrderPeak(MakeMember(*FindFamily(name), 1000, 1, false)), peak) << name;
  }
}

}  // namespace
}  // namespace opass::bench
