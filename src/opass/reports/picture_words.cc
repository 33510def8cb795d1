#include "opass/reports/picture_words.h"

#include <fmt/format.h>

#include <algorithm>

#include "opass/reports/report.h"
#include "opass/reports/svg_text.h"

namespace opass::reports {
namespace {

using Kind = PictureBuffer::Kind;

std::string Change(std::int64_t first, std::int64_t bytes) {
  if (first <= 0) return "";
  return fmt::format("{:+.1f} %",
                     100.0 * static_cast<double>(bytes - first) / static_cast<double>(first));
}

FigureRow ByteRow(const Picture& picture, const char* name, std::int64_t PictureSide::*bytes) {
  FigureRow row{name, {}, {}};
  for (const PictureSide& side : picture.sides) {
    const bool is_first = row.of_side.empty();
    row.of_side.push_back(ExactBytes(side.*bytes));
    row.change.push_back(is_first ? "" : Change(picture.sides.front().*bytes, side.*bytes));
  }
  return row;
}

std::string GapText(const PictureSide& side) {
  if (side.proven_optimal) return "0 %: proven, no order needs less";
  const double gap = Gap(side.peak_bytes, side.lower_bound_bytes);
  return fmt::format("{:.2f} % above the lower bound", 100 * gap);
}

}  // namespace

std::vector<LegendEntry> Legend(const Picture& picture, const std::vector<SideLayout>& layouts) {
  const auto has = [&](Kind kind) {
    return std::ranges::any_of(picture.sides, [&](const PictureSide& side) {
      return std::ranges::find(side.buffers, kind, &PictureBuffer::kind) != side.buffers.end();
    });
  };
  const std::string box = R"( x="1" y="1" width="20" height="11"/>)";
  std::vector<LegendEntry> entries = {
      {"<rect class=\"b own\"" + box, "buffer"},
      {"<rect class=\"b own peak\"" + box, "alive at the peak (stronger colour of any kind)"}};
  const auto add = [&](bool occurs, const std::string& sample, const char* meaning) {
    if (occurs) entries.push_back({sample, meaning});
  };
  add(has(Kind::kInPlace),
      "<rect class=\"b inplace\"" + box + "<path class=\"edge\" d=\"M2.5 1v11\"/>",
      "takes over the bytes of an input that dies (in place)");
  add(has(Kind::kView), "<rect class=\"b view\"" + box, "view: lies inside another buffer");
  add(has(Kind::kWorkspace), "<rect class=\"b work\"" + box, "workspace of one operator");
  add(has(Kind::kHeld), "<rect class=\"b held\"" + box, "dead, but held by a view of it");
  add(std::ranges::any_of(layouts, [](const SideLayout& side) { return side.num_merged > 0; }),
      "<rect class=\"merged\"" + box, "many small buffers");
  entries.push_back({"<rect class=\"mark\"" + box, "step of the peak"});
  entries.push_back({"<path class=\"arena\" d=\"M0 6.5h22\"/>", "size of the arena"});
  entries.push_back({"<path class=\"top\" d=\"M0 6.5h22\"/>", "peak"});
  entries.push_back({"<path class=\"bound\" d=\"M0 6.5h22\"/>", "lower bound of every order"});
  return entries;
}

std::vector<FigureRow> FigureRows(const Picture& picture) {
  FigureRow operators{"operators", {}, {}};
  FigureRow gap{"gap", {}, {}};
  for (const PictureSide& side : picture.sides) {
    operators.of_side.push_back(std::to_string(side.steps.size()));
    gap.of_side.push_back(GapText(side));
  }
  operators.change.resize(picture.sides.size());
  gap.change.resize(picture.sides.size());
  // Bounds are no gain: one side's may be weaker only because nobody searched there.
  FigureRow bound = ByteRow(picture, "lower bound", &PictureSide::lower_bound_bytes);
  bound.change.assign(picture.sides.size(), "");
  return {operators, ByteRow(picture, "arena", &PictureSide::arena_bytes),
          ByteRow(picture, "peak", &PictureSide::peak_bytes), bound, gap};
}

std::string LimitsText(const Picture& picture, const std::vector<SideLayout>& layouts) {
  std::string text;
  for (std::size_t i = 0; i < layouts.size(); ++i) {
    if (layouts[i].num_merged == 0) continue;
    text += fmt::format(
        "{}{}: the {} buffers with the most bytes times steps are drawn one by one, cells of a "
        "grid "
        "say where the {} others are.",
        text.empty() ? "" : " ", ShortName(picture.sides[i].title), layouts[i].drawn.size(),
        layouts[i].num_merged);
  }
  const bool columns = std::ranges::any_of(layouts, [](const SideLayout& layout) {
    return std::ranges::any_of(
        layout.columns, [](const LiveColumn& column) { return column.last > column.first + 1; });
  });
  if (columns) {
    text += fmt::format("{}Live bytes: each column is the most of several steps.",
                        text.empty() ? "" : " ");
  }
  return text;
}

std::vector<SideLayout> LayOutSides(const Picture& picture, const Scales& scales) {
  std::vector<SideLayout> layouts;
  for (const PictureSide& side : picture.sides) layouts.push_back(LayOut(side, scales));
  return layouts;
}

}  // namespace opass::reports
