#include <fmt/format.h>

#include "opass/reports/escape.h"
#include "opass/reports/panel.h"
#include "opass/reports/picture_style.h"
#include "opass/reports/picture_words.h"
#include "opass/reports/svg_text.h"

namespace opass::reports {
namespace {

// Nothing is loaded, and no script runs but ours, whatever a name holds: the hash of kPageScript.
constexpr const char* kPolicy =
    "default-src 'none'; style-src 'unsafe-inline'; "
    "script-src 'sha256-+9rhKLHYERkOUrtCXvVaDQm8y7r8KmsAFpK1eaxpXTM='";

std::string Head(const Picture& picture) {
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"{}\">\n"
      "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n"
      "<title>{}: memory plan</title>\n<style>{}{}</style>\n</head>\n",
      kPolicy, ShortName(picture.title), kPictureStyle, kPageStyle);
}

std::string FigureTable(const Picture& picture) {
  std::string text = "<table>\n<thead><tr><th></th>";
  for (const PictureSide& side : picture.sides) {
    text += "<th scope=\"col\">" + ShortName(side.title) + "</th>";
  }
  text += "</tr></thead>\n<tbody>\n";
  for (const FigureRow& row : FigureRows(picture)) {
    text += "<tr><th scope=\"row\">" + row.name + "</th>";
    for (std::size_t i = 0; i < row.of_side.size(); ++i) {
      text += "<td>" + row.of_side[i];
      if (!row.change[i].empty()) text += " <span class=\"gain\">" + row.change[i] + "</span>";
      text += "</td>";
    }
    text += "</tr>\n";
  }
  return text + "</tbody>\n</table>\n";
}

std::string LegendList(const std::vector<LegendEntry>& entries) {
  std::string text = "<ul class=\"legend\">\n";
  for (const LegendEntry& entry : entries) {
    text += fmt::format("<li><svg viewBox=\"0 0 22 13\" aria-hidden=\"true\">{}</svg>{}</li>\n",
                        entry.sample, entry.meaning);
  }
  return text + "</ul>\n";
}

std::string Figure(const PictureSide& side, const SideLayout& layout, const Scales& scales) {
  const std::string attributes =
      fmt::format("tabindex=\"0\" role=\"group\" aria-label=\"{}\"", ShortName(side.title));
  return fmt::format("<figure>\n<figcaption><h2>{}</h2><p>{}</p></figcaption>\n{}</figure>\n",
                     ShortName(side.title), Escape(side.caption),
                     Panel(side, layout, scales, attributes));
}

std::string Explanation(const std::vector<std::string>& lines) {
  if (lines.empty()) return "";
  std::string text = "<h2>Search</h2>\n<pre>";
  for (const std::string& line : lines) text += Escape(line) + "\n";
  return text + "</pre>\n";
}

}  // namespace

std::string PictureToHtml(const Picture& picture) {
  const Scales scales = ScalesOf(picture);
  const std::vector<SideLayout> layouts = LayOutSides(picture, scales);
  std::string text = Head(picture);
  text += fmt::format("<body>\n<h1>{}</h1>\n", ShortName(picture.title));
  text += FigureTable(picture) + LegendList(Legend(picture, layouts));
  text += fmt::format(
      "<p class=\"how\">Point at a rectangle, or focus a drawing and press the arrow keys, for "
      "names "
      "and sizes. {}</p>\n",
      LimitsText(picture, layouts));
  text +=
      fmt::format("<svg width=\"0\" height=\"0\" aria-hidden=\"true\">{}</svg>\n", kPictureDefs);
  text += "<div class=\"sides\">\n";
  for (std::size_t i = 0; i < layouts.size(); ++i) {
    text += Figure(picture.sides[i], layouts[i], scales);
  }
  text +=
      "</div>\n" + Explanation(picture.explanation) + "<div id=\"tip\" role=\"status\"></div>\n";
  return text + fmt::format("<script>{}</script>\n</body>\n</html>\n", kPageScript);
}

}  // namespace opass::reports
