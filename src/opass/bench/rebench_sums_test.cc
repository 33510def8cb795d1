// Sums without reuse: the papers' metric recounted from a text, and the page of tables and plots.
#include "opass/bench/rebench_sums.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>
#include <fstream>

#include "opass/bench/page.h"
#include "opass/bench/rebench_recount.h"

namespace opass::bench {
namespace {

constexpr std::int64_t kFloat = 32;  // bits

std::string Text(const std::string& parameters, const std::string& body) {
  return "#[version = \"0.0.5\"]\ndef @main(" + parameters + ") {\n" + body + "\n}\n";
}

Recount Count(const std::string& parameters, const std::string& body) {
  const auto recount = RecountText(Text(parameters, body), "test");
  EXPECT_TRUE(recount.ok()) << recount.error().ToString();
  EXPECT_TRUE(recount.ok() && recount->has_value());
  return recount.ok() ? recount->value_or(Recount()) : Recount();
}

// What this project counts: from the four numbers, in bits.
std::int64_t Ours(const Recount& recount) {
  return recount.bits + recount.unreached_bits - recount.literal_bits + recount.boolean_bits;
}

const std::string kX = "%x: Tensor[(10), float32]";

TEST(RebenchRecount, AliasesTuplesAndPartsAreFree) {
  const Recount recount =
      Count(kX, "%0 = exp(%x); let %y = %0; %1 = (%y, %x); %2 = %1.0; %3 = add(%2, 1f); (%3, %y)");
  EXPECT_EQ(recount.bits, (10 + 10 + 1 + 10) * kFloat);
  EXPECT_EQ(recount.literal_bits, kFloat);
  EXPECT_EQ(recount.unreached_bits, 0);
  EXPECT_EQ(recount.result_bits, 20 * kFloat);
  EXPECT_EQ(Ours(recount), 30 * kFloat);
}

TEST(RebenchRecount, BooleansAreBits) {
  const Recount recount = Count(kX, "%0 = less(%x, 1f); %0");
  EXPECT_EQ(recount.bits, (10 + 1) * kFloat + 10);
  EXPECT_EQ(recount.boolean_bits, 70);
  EXPECT_EQ(recount.result_bits, 10);
  EXPECT_EQ(Ours(recount), 10 * kFloat + 80);
}

// %s and the parameter that it reads fall away when shapes are static.
TEST(RebenchRecount, WhatIsReadForItsShapeAloneIsNotReached) {
  const Recount recount = Count("%x: Tensor[(10), float32], %y: Tensor[(2, 5), float32]",
                                "%s = shape_of(%y, dtype=\"int32\"); %0 = dyn.reshape(%x, %s); %0");
  EXPECT_EQ(recount.bits, 20 * kFloat);
  EXPECT_EQ(recount.unreached_bits, (10 + 2) * kFloat);
  const Recount result = Count(kX, "%s = shape_of(%x, dtype=\"int32\"); %0 = exp(%x); (%s, %0)");
  EXPECT_EQ(result.bits, 21 * kFloat);
  EXPECT_EQ(result.result_bits, 10 * kFloat);
}

TEST(RebenchRecount, ConstantsFoldUnlessTheyAreQuantized) {
  EXPECT_EQ(Count(kX, "%0 = add(1f, 2f); %1 = exp(%0); (%1, %x)").bits, 11 * kFloat);
  const Recount kept = Count(kX, "%0 = qnn.quantize(1f, 2f, 3, out_dtype=\"int8\"); (%0, %x)");
  EXPECT_EQ(kept.bits, (3 + 10) * kFloat + 8);
}

TEST(RebenchRecount, BindingsNobodyReads) {
  EXPECT_EQ(Count(kX, "%0 = exp(%x); %dead = sqrt(%0); %0").unreached_bits, 10 * kFloat);
  EXPECT_EQ(Count(kX, "%0 = exp(%x); let %dead = sqrt(%0); %0").unreached_bits, 0);
  EXPECT_EQ(Count(kX, "%0 = exp(%x); let %dead = 7; %0").bits, 20 * kFloat);
}

TEST(RebenchRecount, WhatHasNoKnownSizeIsNotCounted) {
  EXPECT_FALSE(RecountText(Text(kX, "%0 = exp(exp(%x)); %0"), "test")->has_value());
  EXPECT_FALSE(RecountText("no text", "test").ok());
}

class RebenchSumsFolder : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::path(testing::TempDir()) /
              testing::UnitTest::GetInstance()->current_test_info()->name();
    std::filesystem::create_directories(folder_);
    std::ofstream(folder_ / "01.relay") << Text(kX, "%0 = exp(%x); %1 = add(%0, 1f); %1");
    settings_.folder = folder_.string();
    settings_.only = {"01"};
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  // 124 bytes by the papers' metric.
  void Publish(std::int64_t origin_bytes) {
    char mib[64];
    std::snprintf(mib, sizeof mib, "%.20g", static_cast<double>(origin_bytes) / (1 << 20));
    std::ofstream(folder_ / "published_results.csv")
        << "profiler,graph,method,memory_mib,seconds,sequence\nstatic,1,Origin," << mib
        << ",,None\nstatic,1,Transfer,0.00001,2,\"['A', 'ToMixedPrecision']\"\n"
        << "hmcos,1,Origin,0.00001,,None\n";
  }

  std::filesystem::path folder_;
  RebenchSettings settings_;
};

TEST_F(RebenchSumsFolder, AnotherCountThanThePublishedOneIsMissed) {
  Publish(124);
  const auto equal = RebenchSums(settings_);
  ASSERT_TRUE(equal.ok()) << equal.error().ToString();
  EXPECT_TRUE(equal->missed.empty());
  EXPECT_NE(equal->text.find("10.48576 *"), std::string::npos);  // changes precision
  EXPECT_NE(equal->notes.find("hmcos: on 1 of 1"), std::string::npos);
  Publish(120);
  const auto other = RebenchSums(settings_);
  ASSERT_TRUE(other.ok());
  EXPECT_EQ(other->missed.size(), 1U);
}

TEST_F(RebenchSumsFolder, NothingPublished) {
  const auto report = RebenchSums(settings_);
  ASSERT_TRUE(report.ok()) << report.error().ToString();
  EXPECT_TRUE(report->missed.empty());
  EXPECT_EQ(report->notes.find("hmcos: on"), std::string::npos);
}

TEST(BenchPage, HoldsTablesPlotsAndNoMarkupOfNames) {
  PartReport report;
  TextTable table({"name", "<b>"});
  table.Add({"x & y", "1"});
  report.tables.push_back({"t", "A <title>", table});
  report.plots.push_back({"Plot", " %", {"one", "two"}, {{"row", {50, -3}}, {"other", {100, 0}}}});
  report.notes = "<notes>";
  report.missed = {"<goal>"};
  const std::string page = PageOf("Page", std::vector<PartReport>{report});
  for (const char* part :
       {"<td>x &amp; y</td>", "&lt;b&gt;", "A &lt;title&gt;", "&lt;notes&gt;",
        "missed: &lt;goal&gt;", "row, one: 50.0 %", "width=\"320.0\"", "width=\"0.0\""}) {
    EXPECT_NE(page.find(part), std::string::npos) << part;
  }
  EXPECT_EQ(page.find("<script"), std::string::npos);
}

}  // namespace
}  // namespace opass::bench
