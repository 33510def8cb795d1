// Buffers as rectangles.
#include <fmt/format.h>

#include <algorithm>

#include "opass/reports/escape.h"
#include "opass/reports/panel.h"
#include "opass/reports/svg_text.h"
#include "opass/support/bytes.h"

namespace opass::reports {
namespace {

using Kind = PictureBuffer::Kind;

const char* CssClass(Kind kind) {
  switch (kind) {
    case Kind::kOwn:
      return "own";
    case Kind::kView:
      return "view";
    case Kind::kInPlace:
      return "inplace";
    case Kind::kWorkspace:
      return "work";
    case Kind::kHeld:
      return "held";
  }
  return "";
}

std::string Steps(const PictureBuffer& buffer) {
  return buffer.last == buffer.first + 1
             ? fmt::format("step {}", buffer.first)
             : fmt::format("steps {} to {}", buffer.first, buffer.last - 1);
}

std::string Tooltip(const PictureBuffer& buffer) {
  std::string text = ShortName(buffer.name);
  if (buffer.kind == Kind::kInPlace) text += "\nin place of " + ShortName(buffer.source);
  if (buffer.kind == Kind::kView) text += "\nview of " + ShortName(buffer.source);
  if (buffer.kind == Kind::kHeld) text += "\ndead itself; held by a view of it that is alive";
  text += fmt::format("\n{} at offset {}\n{}", ExactBytes(buffer.size_bytes), buffer.offset_bytes,
                      Steps(buffer));
  if (buffer.kind == Kind::kHeld || buffer.kind == Kind::kWorkspace) return text;
  text += buffer.origin == "input" ? "\ninput of the graph"
                                   : "\nwritten by " + ShortName(buffer.origin);
  return text + "\n" + ShortName(buffer.end);
}

// The name in a rectangle that has room for it: lying, or standing in a narrow one.
std::string Label(const PictureBuffer& buffer, const Box& box) {
  constexpr std::int64_t kCharacter = 6 * kPixel;
  constexpr std::int64_t kLine = 12 * kPixel;
  const std::int64_t width = box.right - box.left;
  const std::int64_t height = box.bottom - box.top;
  const bool ascii = std::ranges::all_of(buffer.name, [](char c) { return c > 0; });
  const auto fits = [&](std::int64_t length) {
    const std::int64_t characters = (length - 8 * kPixel) / kCharacter;
    return static_cast<std::size_t>(std::max<std::int64_t>(0, ascii ? characters : characters / 2));
  };
  const std::size_t wanted = std::min<std::size_t>(buffer.name.size(), 6);
  const std::size_t lying = fits(width);
  const std::size_t standing = fits(height);
  const std::int64_t x = box.left + 5 * kPixel;
  if (height > kLine + kPixel && (lying >= wanted || (lying >= 3 && lying >= standing))) {
    std::string text = TextElement("l", x, box.top + kLine,
                                   EscapeShort(buffer.name, std::max<std::size_t>(lying, 1)));
    const std::string size = FormatBytes(buffer.size_bytes);
    if (height > 2 * kLine + 4 * kPixel && size.size() <= lying) {
      text += TextElement("l size", x, box.top + 2 * kLine + kPixel, size);
    }
    return text;
  }
  if (width <= kLine + kPixel || standing < 3) return "";
  const std::string at = fmt::format("{} {}", Px(box.left + kLine), Px(box.bottom - 5 * kPixel));
  return fmt::format("<text class=\"l\" transform=\"translate({}) rotate(-90)\">{}</text>\n", at,
                     EscapeShort(buffer.name, standing));
}

std::string Rectangle(const PictureBuffer& buffer, const DrawnBuffer& drawn) {
  constexpr std::int64_t kThin = 3 * kPixel;
  Box box = drawn.box;
  const bool thin = box.right - box.left < kThin || box.bottom - box.top < kThin;
  std::string text = fmt::format("<rect class=\"b {}{}{}\" {}><title>{}</title></rect>\n",
                                 CssClass(buffer.kind), drawn.at_peak ? " peak" : "",
                                 thin ? " thin" : "", BoxAttributes(box), Tooltip(buffer));
  if (thin || buffer.kind == Kind::kHeld) return text;
  if (buffer.kind == Kind::kInPlace) {
    text += fmt::format("<path class=\"edge\" d=\"M{} {}V{}\"/>\n", Px(box.left + 150), Px(box.top),
                        Px(box.bottom));
  }
  return text + Label(buffer, box);
}

}  // namespace

std::string ArenaElements(const PictureSide& side, const SideLayout& layout) {
  std::string text;
  if (!layout.merged.empty()) {
    std::string path;
    for (const Box& box : layout.merged) {
      path += fmt::format("M{} {}H{}V{}H{}z", Px(box.left), Px(box.top), Px(box.right),
                          Px(box.bottom), Px(box.left));
    }
    text += fmt::format(
        "<path class=\"merged\" d=\"{}\"><title>{} smaller buffers touch these cells</title>"
        "</path>\n",
        path, layout.num_merged);
  }
  for (const DrawnBuffer& drawn : layout.drawn) {
    text += Rectangle(side.buffers[drawn.buffer], drawn);
  }
  return text;
}

}  // namespace opass::reports
