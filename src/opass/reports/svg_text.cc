#include "opass/reports/svg_text.h"

#include <fmt/format.h>

#include "opass/reports/escape.h"
#include "opass/support/bytes.h"

namespace opass::reports {

std::string Px(std::int64_t hundredths) {
  std::string text = hundredths < 0 ? "-" : "";
  const std::int64_t size = hundredths < 0 ? -hundredths : hundredths;
  text += std::to_string(size / kPixel);
  const std::int64_t rest = size % kPixel;
  if (rest == 0) return text;
  return text + (rest % 10 == 0 ? fmt::format(".{}", rest / 10) : fmt::format(".{:02}", rest));
}

std::string BoxAttributes(const Box& box) {
  return fmt::format(R"(x="{}" y="{}" width="{}" height="{}")", Px(box.left), Px(box.top),
                     Px(box.right - box.left), Px(box.bottom - box.top));
}

std::string TextElement(std::string_view css_class, std::int64_t x, std::int64_t y,
                        std::string_view escaped) {
  return fmt::format("<text class=\"{}\" x=\"{}\" y=\"{}\">{}</text>\n", css_class, Px(x), Px(y),
                     escaped);
}

std::string ExactBytes(std::int64_t bytes) {
  const std::string text = FormatBytes(bytes);
  return text.ends_with(" B") ? text.substr(0, text.size() - 1) + "bytes"
                              : fmt::format("{} ({} bytes)", text, bytes);
}

std::string ShortName(std::string_view name) { return EscapeShort(name, kMaxNameCharacters); }

}  // namespace opass::reports
