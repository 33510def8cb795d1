#include "opass/bench/page.h"

#include <fmt/format.h>

#include <algorithm>

#include "opass/reports/escape.h"

namespace opass::bench {
namespace {

using reports::Escape;

// The colours of Okabe and Ito; the legend and the titles of the bars tell the series, too.
constexpr const char* kColours[] = {"#999999", "#56b4e9", "#e69f00",
                                    "#009e73", "#cc79a7", "#0072b2"};

constexpr const char* kStyle =
    ":root{color-scheme:light dark}"
    "body{font:14px system-ui,sans-serif;margin:2em auto;max-width:80em;padding:0 1em}"
    "table{border-collapse:collapse;font-variant-numeric:tabular-nums;margin:1em 0}"
    "th,td{padding:.15em .6em;text-align:right;border-bottom:1px solid #8884}"
    "th:first-child,td:first-child{text-align:left}"
    ".wide{overflow-x:auto}pre{white-space:pre-wrap}"
    "svg{display:block;max-width:100%;height:auto}"
    "text{font:11px system-ui,sans-serif;fill:currentColor}.grid{stroke:#8886}";

constexpr const char* kPolicy = "default-src 'none'; style-src 'unsafe-inline'";

// Whole pixels.
constexpr int kLabelWidth = 230;
constexpr int kPlotWidth = 640;
constexpr int kValueWidth = 60;
constexpr int kBarHeight = 6;
constexpr int kRowGap = 8;
constexpr int kHead = 34;

class BarDrawing {
 public:
  explicit BarDrawing(const BarPlot& plot) : plot_(plot) {
    for (const BarPlot::Row& row : plot.rows) {
      for (const double value : row.values) most_ = std::max(most_, value);
    }
  }

  std::string Draw() const {
    const int row_height = kBarHeight * static_cast<int>(plot_.series.size()) + kRowGap;
    const int height = kHead + row_height * static_cast<int>(plot_.rows.size()) + kRowGap;
    std::string text = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" aria-label=\"{2}\" width=\"{0}\" "
        "height=\"{1}\" viewBox=\"0 0 {0} {1}\">\n",
        kLabelWidth + kPlotWidth + kValueWidth, height, Escape(plot_.title));
    text += Legend() + Grid(height);
    for (std::size_t i = 0; i < plot_.rows.size(); ++i) {
      text += Row(plot_.rows[i], kHead + row_height * static_cast<int>(i), row_height);
    }
    return text + "</svg>\n";
  }

 private:
  static const char* Colour(std::size_t series) { return kColours[series % std::size(kColours)]; }
  double Width(double value) const {
    return most_ > 0 ? kPlotWidth * std::max(0.0, value) / most_ : 0;
  }

  std::string Legend() const {
    constexpr int kEntryWidth = 130;
    std::string text;
    for (std::size_t i = 0; i < plot_.series.size(); ++i) {
      const int x = kLabelWidth + kEntryWidth * static_cast<int>(i);
      text += fmt::format("<rect x=\"{}\" y=\"4\" width=\"12\" height=\"10\" fill=\"{}\"/>", x,
                          Colour(i));
      text += fmt::format("<text x=\"{}\" y=\"13\">{}</text>\n", x + 16, Escape(plot_.series[i]));
    }
    return text;
  }

  std::string Grid(int height) const {
    constexpr int kLines = 4;
    std::string text;
    for (int i = 0; i <= kLines; ++i) {
      const int x = kLabelWidth + kPlotWidth * i / kLines;
      text += fmt::format("<line class=\"grid\" x1=\"{0}\" y1=\"{1}\" x2=\"{0}\" y2=\"{2}\"/>", x,
                          kHead - 4, height);
      text += fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{:.3g}{}</text>\n", x,
                          kHead - 7, most_ * i / kLines, Escape(plot_.unit));
    }
    return text;
  }

  std::string Row(const BarPlot::Row& row, int y, int row_height) const {
    std::string text = fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"end\">{}</text>\n",
                                   kLabelWidth - 8, y + row_height / 2 + 1, Escape(row.name));
    for (std::size_t i = 0; i < row.values.size() && i < plot_.series.size(); ++i) {
      text += fmt::format(
          "<rect x=\"{}\" y=\"{}\" width=\"{:.1f}\" height=\"{}\" fill=\"{}\"><title>{}, {}: "
          "{:.1f}{}</title></rect>\n",
          kLabelWidth, y + kBarHeight * static_cast<int>(i), Width(row.values[i]), kBarHeight - 1,
          Colour(i), Escape(row.name), Escape(plot_.series[i]), row.values[i], Escape(plot_.unit));
    }
    return text;
  }

  const BarPlot& plot_;
  double most_ = 0;
};

std::string Table(const NamedTable& named) {
  std::string text = fmt::format("<h2>{}</h2>\n<div class=\"wide\"><table>\n", Escape(named.title));
  const char* cell = "th";
  for (const auto& row : named.table.rows()) {
    text += "<tr>";
    for (const std::string& content : row) {
      text += fmt::format("<{0}>{1}</{0}>", cell, Escape(content));
    }
    text += "</tr>\n";
    cell = "td";
  }
  return text + "</table></div>\n";
}

}  // namespace

std::string PageOf(const std::string& title, std::span<const PartReport> reports) {
  std::string text = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"{}\">\n"
      "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n"
      "<title>{}</title>\n<style>{}</style>\n</head>\n<body>\n<h1>{}</h1>\n",
      kPolicy, Escape(title), kStyle, Escape(title));
  for (const PartReport& report : reports) {
    for (const NamedTable& table : report.tables) text += Table(table);
    for (const BarPlot& plot : report.plots) {
      text += fmt::format("<h2>{}</h2>\n{}", Escape(plot.title), BarDrawing(plot).Draw());
    }
    if (!report.notes.empty()) text += fmt::format("<pre>{}</pre>\n", Escape(report.notes));
    for (const std::string& goal : report.missed) {
      text += fmt::format("<p>missed: {}</p>\n", Escape(goal));
    }
  }
  return text + "</body>\n</html>\n";
}

}  // namespace opass::bench
