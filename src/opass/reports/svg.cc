#include <fmt/format.h>

#include <algorithm>

#include "opass/reports/escape.h"
#include "opass/reports/panel.h"
#include "opass/reports/picture_style.h"
#include "opass/reports/picture_words.h"
#include "opass/reports/svg_text.h"

namespace opass::reports {
namespace {

constexpr std::int64_t kMargin = 20 * kPixel;
constexpr std::int64_t kLine = 18 * kPixel;

class SvgWriter {
 public:
  explicit SvgWriter(const Picture& picture)
      : picture_(picture), scales_(ScalesOf(picture)), layouts_(LayOutSides(picture, scales_)) {}

  std::string Write() {
    const auto num_sides = static_cast<std::int64_t>(std::max<std::size_t>(1, layouts_.size()));
    width_ = 2 * kMargin + num_sides * kPanelWidth;
    Line("name", 22 * kPixel, ShortName(picture_.title));
    LegendLines();
    Line("note", kLine, LimitsText(picture_, layouts_));
    y_ += 12 * kPixel;
    for (std::size_t i = 0; i < layouts_.size(); ++i) Side(i);
    const std::int64_t height = y_ + kSideHead + kPanelHeight + kMargin;
    return fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" "
        "viewBox=\"0 0 {0} {1}\">\n<title>{2}: memory plan</title>\n<style>{3}</style>\n{4}"
        "<rect class=\"paper\" width=\"{0}\" height=\"{1}\"/>\n{5}</svg>\n",
        Px(width_), Px(height), ShortName(picture_.title), kPictureStyle, kPictureDefs, body_);
  }

 private:
  static constexpr std::int64_t kSideHead = 82 * kPixel;

  void Line(const char* css_class, std::int64_t height, const std::string& escaped) {
    if (escaped.empty()) return;
    y_ += height;
    body_ += TextElement(css_class, kMargin, y_, escaped);
  }

  void LegendLines() {
    constexpr std::int64_t kCharacter = 5 * kPixel + 80;  // of class note, at most on average
    std::int64_t x = kMargin;
    y_ += kLine + 6 * kPixel;
    for (const LegendEntry& entry : Legend(picture_, layouts_)) {
      const std::int64_t width =
          50 * kPixel + kCharacter * static_cast<std::int64_t>(entry.meaning.size());
      if (x > kMargin && x + width > width_ - kMargin) {
        x = kMargin;
        y_ += kLine;
      }
      body_ += fmt::format("<svg x=\"{}\" y=\"{}\" width=\"22\" height=\"13\">{}</svg>\n", Px(x),
                           Px(y_ - 10 * kPixel), entry.sample);
      body_ += TextElement("note", x + 28 * kPixel, y_, entry.meaning);
      x += width;
    }
  }

  void Side(std::size_t i) {
    const PictureSide& side = picture_.sides[i];
    const std::int64_t x = kMargin + static_cast<std::int64_t>(i) * kPanelWidth;
    std::int64_t y = y_ + 14 * kPixel;
    body_ += TextElement("side", x, y, ShortName(side.title));
    body_ += TextElement("note", x, y += kLine, Escape(side.caption));
    std::string figures;
    std::string more;
    for (const FigureRow& row : FigureRows(picture_)) {
      const bool is_long = row.name == "lower bound" || row.name == "gap";
      std::string& text = is_long ? more : figures;
      text += fmt::format("{}{} {}", text.empty() ? "" : " · ", row.name, row.of_side[i]);
      if (!row.change[i].empty() && !is_long) text += fmt::format(", {}", row.change[i]);
    }
    body_ += TextElement("note", x, y += kLine, figures);
    body_ += TextElement("note", x, y += kLine, more);
    body_ += Panel(side, layouts_[i], scales_,
                   fmt::format("x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"", Px(x),
                               Px(y_ + kSideHead), Px(kPanelWidth), Px(kPanelHeight)));
  }

  const Picture& picture_;
  const Scales scales_;
  const std::vector<SideLayout> layouts_;
  std::int64_t width_ = 0;
  std::int64_t y_ = kMargin;
  std::string body_;
};

}  // namespace

std::string PictureToSvg(const Picture& picture) { return SvgWriter(picture).Write(); }

}  // namespace opass::reports
