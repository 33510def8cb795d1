#include "opass/reports/picture.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "opass/memory/storage.h"
#include "opass/memory/testing/random_problem.h"
#include "opass/memory/testing/simple_plan.h"
#include "opass/reports/escape.h"
#include "opass/reports/picture_layout.h"

namespace opass::reports {
namespace {

using memory::testing::RandomProblem;
using Kind = PictureBuffer::Kind;

struct Case {
  PictureSide side;
  memory::Schedule schedule;
};

Case RandomCase(std::uint64_t seed) {
  const memory::Problem problem = RandomProblem(seed);
  const memory::Plan plan = memory::testing::SimplePlan(problem);
  const memory::StorageGraph graph(problem);
  Result<memory::Schedule> schedule = memory::Evaluate(graph, memory::testing::FileOrder(problem));
  EXPECT_TRUE(schedule.ok());
  return {MakeSide(problem, plan, schedule->step_bytes, {}), *std::move(schedule)};
}

// Addresses that some rectangle covers at the step.
std::int64_t CoveredBytes(const PictureSide& side, std::int64_t step) {
  std::vector<std::pair<std::int64_t, std::int64_t>> intervals;
  for (const PictureBuffer& b : side.buffers) {
    if (b.first > step || step >= b.last) continue;
    intervals.emplace_back(b.offset_bytes, b.offset_bytes + b.size_bytes);
  }
  std::ranges::sort(intervals);
  std::int64_t covered = 0;
  std::int64_t end = 0;
  for (const auto& [low, high] : intervals) {
    covered += std::max<std::int64_t>(0, high - std::max(low, end));
    end = std::max(end, high);
  }
  return covered;
}

TEST(PictureTest, RectanglesCoverExactlyTheLiveBytesOfEveryStep) {
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    const Case c = RandomCase(seed);
    for (std::size_t step = 0; step < c.schedule.order.size(); ++step) {
      ASSERT_EQ(CoveredBytes(c.side, static_cast<std::int64_t>(step)), c.schedule.step_bytes[step])
          << "seed " << seed << ", step " << step;
    }
  }
}

TEST(PictureTest, BoxesLieInTheArenaAndOverlapOnlyWhenShared) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const Case c = RandomCase(seed);
    const Scales scales = ScalesOf({"m", {c.side}});
    const SideLayout layout = LayOut(c.side, scales);
    ASSERT_EQ(layout.drawn.size(), c.side.buffers.size());
    for (const DrawnBuffer& a : layout.drawn) {
      ASSERT_GE(a.box.left, 0);
      ASSERT_LE(a.box.right, kPlotWidth);
      ASSERT_GE(a.box.top, scales.ArenaY(c.side.arena_bytes));
      ASSERT_LE(a.box.bottom, kArenaHeight);
      for (const DrawnBuffer& b : layout.drawn) {
        if (a.buffer >= b.buffer) continue;
        const bool shared =
            c.side.buffers[a.buffer].source != "" || c.side.buffers[b.buffer].source != "";
        const bool apart = a.box.right <= b.box.left || b.box.right <= a.box.left ||
                           a.box.bottom <= b.box.top || b.box.bottom <= a.box.top;
        ASSERT_TRUE(apart || shared) << "seed " << seed;
      }
    }
  }
}

TEST(PictureTest, ThePeakIsTheFirstStepWithTheMostBytes) {
  PictureSide side;
  side.steps = {"a", "b", "c", "d"};
  side.step_bytes = {1, 7, 3, 7};
  side.arena_bytes = side.peak_bytes = 7;
  const SideLayout layout = LayOut(side, ScalesOf({"m", {side}}));
  EXPECT_EQ(layout.peak_step, 1);
  EXPECT_EQ(layout.columns.size(), 4U);
  EXPECT_EQ(layout.columns[1].box.top, 0);
  EXPECT_NE(PictureToSvg({"m", {side}}).find("peak 7 B at step 1"), std::string::npos);
}

TEST(PictureTest, TheSizeIsBoundedAndThePictureSaysSo) {
  PictureSide side;
  for (int i = 0; i < 20000; ++i) {
    side.steps.push_back(std::string(500, 'n'));
    side.step_bytes.push_back(64);
    side.buffers.push_back(
        {Kind::kOwn, std::string(500, 'b'), "", "input", "end", 64 * (i % 100), 64, i, i + 1});
  }
  side.arena_bytes = side.peak_bytes = 6400;
  for (const std::string& text :
       {PictureToHtml({"m", {side, side}}), PictureToSvg({"m", {side, side}})}) {
    EXPECT_LT(text.size(), 4'000'000U);
    EXPECT_NE(text.find("18500 others"), std::string::npos);
    EXPECT_NE(text.find("most of several steps"), std::string::npos);
  }
}

TEST(PictureTest, HostileNamesStayText) {
  const std::string hostile = "</title><script>alert(1)</script>\"'&\n\xff\x01";
  PictureSide side;
  side.title = side.caption = hostile;
  side.steps = {hostile};
  side.step_bytes = {10};
  side.buffers = {{Kind::kView, hostile, hostile, hostile, hostile, 0, 10, 0, 1}};
  side.arena_bytes = side.peak_bytes = 10;
  for (const std::string& text :
       {PictureToHtml({hostile, {side}}), PictureToSvg({hostile, {side}})}) {
    EXPECT_EQ(text.find("<script>alert"), std::string::npos);
    EXPECT_NE(text.find("&lt;script&gt;alert"), std::string::npos);
    EXPECT_EQ(text.find('\xff'), std::string::npos);
    EXPECT_EQ(text.find('\x01'), std::string::npos);
  }
}

TEST(PictureTest, NothingToDrawIsDrawn) {
  EXPECT_NE(PictureToSvg({"m", {}}).find("</svg>"), std::string::npos);
  EXPECT_NE(PictureToHtml({"m", {PictureSide()}}).find("</html>"), std::string::npos);
}

TEST(EscapeTest, MarkupControlsAndWhatIsNoUtf8) {
  EXPECT_EQ(Escape("a<b>&\"'"), "a&lt;b&gt;&amp;&quot;&#39;");
  EXPECT_EQ(Escape("a\nb\x7f"), "a\u240Ab\u2421");
  EXPECT_EQ(Escape("\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80"), "\u00e4\u20ac\U0001F600");
  EXPECT_EQ(Escape("\xc0\xaf"), "\uFFFD\uFFFD");            // overlong
  EXPECT_EQ(Escape("\xed\xa0\x80"), "\uFFFD\uFFFD\uFFFD");  // a surrogate
  EXPECT_EQ(Escape("\xe2\x82"), "\uFFFD\uFFFD");            // cut off
  EXPECT_EQ(Escape("\xef\xbf\xbf"), "\uFFFD");              // U+FFFF is no character of XML
  EXPECT_EQ(Escape("\xe2\x80\xae"), "\uFFFD");              // reverses what follows
  EXPECT_EQ(EscapeShort("<<<<", 4), "&lt;&lt;&lt;&lt;");
  EXPECT_EQ(EscapeShort("<<<<", 3), "&lt;&lt;…");
}

}  // namespace
}  // namespace opass::reports
