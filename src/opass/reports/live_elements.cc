// Live bytes of every step.
#include <fmt/format.h>

#include <algorithm>

#include "opass/reports/panel.h"
#include "opass/reports/svg_text.h"
#include "opass/support/bytes.h"

namespace opass::reports {
namespace {

std::string Area(const SideLayout& layout) {
  std::string path = "M0 " + Px(kLiveHeight);
  for (const LiveColumn& column : layout.columns) {
    path += fmt::format("V{}H{}", Px(column.box.top), Px(column.box.right));
  }
  return fmt::format("<path class=\"live\" d=\"{}V{}z\"/>\n", path, Px(kLiveHeight));
}

std::string Tooltip(const PictureSide& side, const LiveColumn& column) {
  const std::string& op = side.steps[static_cast<std::size_t>(column.step)];
  if (column.last == column.first + 1) {
    return fmt::format("step {}: {}\n{} live", column.step, ShortName(op),
                       ExactBytes(column.bytes));
  }
  return fmt::format("steps {} to {}: at most {} live\nat step {}: {}", column.first,
                     column.last - 1, ExactBytes(column.bytes), column.step, ShortName(op));
}

// What the mouse meets: whole columns, also above the area.
std::string Columns(const PictureSide& side, const SideLayout& layout) {
  std::string text;
  for (const LiveColumn& column : layout.columns) {
    Box box = column.box;
    box.top = 0;
    text += fmt::format("<rect class=\"c\" {}><title>{}</title></rect>\n", BoxAttributes(box),
                        Tooltip(side, column));
  }
  return text;
}

std::string Line(const char* css_class, std::int64_t y) {
  return fmt::format("<path class=\"{}\" d=\"M0 {}H{}\"/>\n", css_class, Px(y), Px(kPlotWidth));
}

}  // namespace

std::string LiveElements(const PictureSide& side, const SideLayout& layout, const Scales& scales) {
  std::string text = Area(layout);
  text += Line("bound", scales.LiveY(side.lower_bound_bytes));
  text += Line("top", scales.LiveY(side.peak_bytes));
  return text + Columns(side, layout);
}

}  // namespace opass::reports
