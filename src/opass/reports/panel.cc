#include "opass/reports/panel.h"

#include <fmt/format.h>

#include <algorithm>

#include "opass/reports/svg_text.h"
#include "opass/support/bytes.h"

namespace opass::reports {
namespace {

constexpr std::int64_t kLeft = 70 * kPixel;
constexpr std::int64_t kArenaTop = 38 * kPixel;
constexpr std::int64_t kArenaBottom = kArenaTop + kArenaHeight;
constexpr std::int64_t kLiveTop = kArenaBottom + 44 * kPixel;
constexpr std::int64_t kLiveBottom = kLiveTop + kLiveHeight;

// A multiple of a ByteTick in the largest unit that the tick is a multiple of.
std::string ByteLabel(std::int64_t bytes, std::int64_t tick) {
  static constexpr const char* kUnits[] = {"B", "KiB", "MiB", "GiB", "TiB"};
  std::size_t unit = 0;
  while (unit + 1 < std::size(kUnits) && tick >= 1024) {
    tick /= 1024;
    bytes /= 1024;
    ++unit;
  }
  return fmt::format("{} {}", bytes, bytes == 0 ? "B" : kUnits[unit]);
}

class PanelWriter {
 public:
  PanelWriter(const PictureSide& side, const SideLayout& layout, const Scales& scales)
      : side_(side), layout_(layout), scales_(scales) {}

  std::string Content() {
    Backdrop();
    ByteLines(kArenaTop, kArenaHeight, 6);
    ByteLines(kLiveTop, kLiveHeight, 4);
    StepLines();
    Group(kArenaTop, ArenaElements(side_, layout_));
    Group(kLiveTop, LiveElements(side_, layout_, scales_));
    ArenaLine();
    PeakMark();
    Headings();
    return std::move(text_);
  }

 private:
  void Backdrop() {
    const std::int64_t steps = std::max<std::int64_t>(1, std::ssize(side_.steps));
    Box box{kLeft, kArenaTop + scales_.ArenaY(side_.arena_bytes), kLeft + scales_.X(steps),
            kArenaBottom};
    text_ += fmt::format("<rect class=\"back\" {}/>\n", BoxAttributes(box));
  }

  void ByteLines(std::int64_t top, std::int64_t height, std::int64_t max_lines) {
    const std::int64_t tick = ByteTick(scales_.bytes, max_lines);
    for (std::int64_t bytes = 0; bytes <= scales_.bytes; bytes += tick) {
      const std::int64_t y =
          top + (height == kArenaHeight ? scales_.ArenaY(bytes) : scales_.LiveY(bytes));
      text_ +=
          fmt::format("<path class=\"grid\" d=\"M{} {}h{}\"/>\n", Px(kLeft), Px(y), Px(kPlotWidth));
      text_ += TextElement("t end", kLeft - 6 * kPixel, y + 3 * kPixel, ByteLabel(bytes, tick));
    }
  }

  // A step is an interval: its number stands below its middle when there is room.
  void StepLines() {
    const std::int64_t tick = StepTick(scales_.num_steps, 14);
    for (std::int64_t step = 0; step < scales_.num_steps; step += tick) {
      const std::int64_t x = kLeft + (scales_.X(step) + scales_.X(step + 1)) / 2;
      text_ += fmt::format("<path class=\"tick\" d=\"M{} {}v4\"/>\n", Px(x), Px(kLiveBottom));
      text_ += TextElement("t mid", x, kLiveBottom + 15 * kPixel, std::to_string(step));
    }
    text_ += TextElement("t mid", kLeft + kPlotWidth / 2, kLiveBottom + 30 * kPixel, "step");
  }

  void Group(std::int64_t top, const std::string& elements) {
    text_ +=
        fmt::format("<g transform=\"translate({} {})\">\n{}</g>\n", Px(kLeft), Px(top), elements);
  }

  void ArenaLine() {
    const std::int64_t y = kArenaTop + scales_.ArenaY(side_.arena_bytes);
    text_ +=
        fmt::format("<path class=\"arena\" d=\"M{} {}h{}\"/>\n", Px(kLeft), Px(y), Px(kPlotWidth));
  }

  void PeakMark() {
    if (layout_.peak_step < 0) return;
    const std::int64_t left = kLeft + scales_.X(layout_.peak_step);
    const std::int64_t right =
        std::max(left + 150, kLeft + scales_.X(layout_.peak_step + 1));  // seen in any case
    const std::int64_t middle = (left + right) / 2;
    for (const auto& [top, bottom] :
         {std::pair(kArenaTop, kArenaBottom), std::pair(kLiveTop, kLiveBottom)}) {
      text_ +=
          fmt::format("<rect class=\"mark\" {}/>\n", BoxAttributes({left, top, right, bottom}));
    }
    text_ += fmt::format("<path class=\"arrow\" d=\"M{} {}l-4 -7h8z\"/>\n", Px(middle),
                         Px(kArenaTop - 2 * kPixel));
    const bool to_the_left = middle > kLeft + kPlotWidth / 2;
    const std::int64_t x = middle + (to_the_left ? -8 : 8) * kPixel;
    text_ += TextElement(
        to_the_left ? "peaktext end" : "peaktext", x, kArenaTop - 4 * kPixel,
        fmt::format("peak {} at step {}", FormatBytes(side_.peak_bytes), layout_.peak_step));
  }

  void Headings() {
    text_ +=
        TextElement("h", kLeft, 13 * kPixel,
                    fmt::format("Arena of {}: addresses by step", FormatBytes(side_.arena_bytes)));
    const bool met = side_.lower_bound_bytes == side_.peak_bytes;
    text_ += TextElement(
        "h", kLeft, kLiveTop - 9 * kPixel,
        fmt::format("Live bytes by step: peak {}, lower bound {}", FormatBytes(side_.peak_bytes),
                    met ? "the same" : FormatBytes(side_.lower_bound_bytes)));
  }

  const PictureSide& side_;
  const SideLayout& layout_;
  const Scales& scales_;
  std::string text_;
};

}  // namespace

std::int64_t ByteTick(std::int64_t end, std::int64_t max_lines) {
  std::int64_t tick = 1;
  while (end / tick >= max_lines) tick *= 2;
  return tick;
}

std::int64_t StepTick(std::int64_t end, std::int64_t max_lines) {
  for (std::int64_t power = 1;; power *= 10) {
    for (const std::int64_t factor : {1, 2, 5}) {
      if ((end - 1) / (factor * power) < max_lines) return factor * power;
    }
  }
}

std::string Panel(const PictureSide& side, const SideLayout& layout, const Scales& scales,
                  std::string_view attributes) {
  return fmt::format("<svg class=\"panel\" viewBox=\"0 0 {} {}\" {}>\n{}</svg>\n", Px(kPanelWidth),
                     Px(kPanelHeight), attributes, PanelWriter(side, layout, scales).Content());
}

}  // namespace opass::reports
