// The tables of opass bench rebench, on texts of our own.
#include "opass/bench/rebench_figures.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "opass/bench/rebench_memory.h"
#include "opass/bench/rebench_published.h"
#include "opass/bench/statistics.h"
#include "opass/bench/text_table.h"

namespace opass::bench {
namespace {

using memory::InputArrival;

class RebenchFolder : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::path(testing::TempDir()) /
              testing::UnitTest::GetInstance()->current_test_info()->name();
    std::filesystem::create_directories(folder_);
    settings_.folder = folder_.string();
    settings_.only = {"01"};
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  void Write(const std::string& name, const std::string& text) {
    std::ofstream(folder_ / name) << text;
  }
  void WriteGraph(const std::string& parameters, const std::string& body) {
    Write("01.relay", "#[version = \"0.0.5\"]\ndef @main(" + parameters + ") {\n" + body + "\n}\n");
  }

  std::filesystem::path folder_;
  RebenchSettings settings_;
};

// %a and %b of 40 bytes, %c an alias, a literal, a tuple: 40 + 8 + 40 + 40 are counted.
TEST_F(RebenchFolder, TheSumHoldsParametersAndResultsOfOperatorsOnce) {
  WriteGraph("%x: Tensor[(10), float32], %type: Tensor[(2), float32]",
             "%a = exp(%x); let %c = %a; let %one = 1f; %b = cast_like(%c, %type); %t = (%b, %x); "
             "%t");
  const auto figures = MeasureGraph(settings_, "01", InputArrival::kResident);
  ASSERT_TRUE(figures.ok()) << figures.error().ToString();
  EXPECT_EQ(figures->sums.sum_bytes, 128);
  EXPECT_EQ(figures->sums.parameter_bytes, 48);
  EXPECT_EQ(figures->sums.result_bytes, 80);
  EXPECT_EQ(figures->sums.floor_bytes(InputArrival::kResident), 80);
  EXPECT_EQ(figures->sums.floor_bytes(InputArrival::kFirstUse), 80);
  EXPECT_EQ(figures->of(Way::kBoth).arena_bytes, 80);
  EXPECT_TRUE(figures->of(Way::kBoth).proven);
  EXPECT_DOUBLE_EQ(figures->SavedPercent(Way::kBoth), 37.5);
}

// Two branches that grow and shrink: in file order both are wide at once. One after the other they
// are not, and no pass has anything to do.
TEST_F(RebenchFolder, OrderAlone) {
  WriteGraph("%x: Tensor[(1, 4), float32]",
             "%0 = concatenate((%x, %x, %x, %x), axis=0); %1 = concatenate((%x, %x, %x, %x), "
             "axis=1);"
             "%2 = max(%0); %3 = min(%1); (%2, %3)");
  const auto figures = MeasureGraph(settings_, "01", InputArrival::kResident);
  ASSERT_TRUE(figures.ok()) << figures.error().ToString();
  EXPECT_EQ(figures->of(Way::kFileOrder).peak_bytes, 16 + 64 + 64);
  EXPECT_EQ(figures->of(Way::kOrder).peak_bytes, 16 + 64 + 4);
  EXPECT_LE(figures->of(Way::kBoth).peak_bytes, figures->of(Way::kOrder).peak_bytes);
}

TEST_F(RebenchFolder, PublishedResults) {
  EXPECT_TRUE(Published::Read(settings_.folder)->empty());
  Write("published_results.csv",
        "profiler,graph,method,memory_mib,seconds,sequence\n"
        "static,1,Origin,4,,None\nstatic,1,Default,3,1.5,\"['A', 'B']\"\n"
        "static,2,Origin,2,,None\nhmcos,1,Default,1,,[]\n");
  const auto published = Published::Read(settings_.folder);
  ASSERT_TRUE(published.ok()) << published.error().ToString();
  EXPECT_EQ(published->Mib("static", "01", "Default"), 3);
  EXPECT_EQ(published->Seconds("static", "01", "Default"), 1.5);
  EXPECT_EQ(published->Seconds("static", "01", "Origin"), std::nullopt);
  EXPECT_EQ(published->Mib("static", "03", "Default"), std::nullopt);
  EXPECT_EQ(published->SavedPercent("static", "Default"), std::vector<double>{25});
  EXPECT_TRUE(published->SavedPercent("hmcos", "Default").empty());
  Write("published_results.csv", "graph,memory\n1,4\n");
  EXPECT_FALSE(Published::Read(settings_.folder).ok());
}

TEST_F(RebenchFolder, GoalsOfAllAreNotAskedOfOne) {
  WriteGraph("%x: Tensor[(10), float32]", "%0 = exp(%x); %0");
  const auto report = RebenchMemory(settings_);
  ASSERT_TRUE(report.ok()) << report.error().ToString();
  EXPECT_TRUE(report->missed.empty());
  EXPECT_EQ(report->tables.size(), 3U);
  EXPECT_EQ(report->tables[0].table.rows().size(), 2U);
  EXPECT_EQ(report->tables[0].table.rows()[1][2], "80");
  settings_.only = {"02"};
  EXPECT_FALSE(RebenchMemory(settings_).ok());
}

TEST(Statistics, OfFewValues) {
  EXPECT_EQ(MedianOf({}), 0);
  EXPECT_EQ(MedianOf({3, 1, 2}), 2);
  EXPECT_EQ(MedianOf({4, 1, 2, 3}), 3);
  EXPECT_EQ(MeanOf({}), 0);
  EXPECT_EQ(MeanOf({1, 2}), 1.5);
  EXPECT_EQ(MostOf({}), 0);
  EXPECT_EQ(MostOf({-2, -1}), -1);
}

TEST(TextTable, AsCsv) {
  TextTable table({"a", "b"});
  table.Add({"1, 2", "\"x\""});
  EXPECT_EQ(table.ToCsv(), "a,b\n\"1, 2\",\"\"\"x\"\"\"\n");
}

}  // namespace
}  // namespace opass::bench
