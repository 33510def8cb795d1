#include "opass/reports/escape.h"

#include <cstdint>
#include <limits>

namespace opass::reports {
namespace {

constexpr char32_t kReplacement = 0xFFFD;

// Takes one character off the front; one byte when it is no UTF-8 (Unicode 15, table 3-7).
char32_t TakeCharacter(std::string_view& text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  const std::size_t length = lead < 0x80              ? 1
                             : (lead >> 5) == 0b110   ? 2
                             : (lead >> 4) == 0b1110  ? 3
                             : (lead >> 3) == 0b11110 ? 4
                                                      : 0;
  static constexpr char32_t kLeast[] = {0, 0, 0x80, 0x800, 0x10000};
  char32_t c = length < 2 ? lead : lead & (0x7FU >> length);
  bool right = length > 0 && length <= text.size();
  for (std::size_t i = 1; right && i < length; ++i) {
    right = (byte(i) & 0xC0U) == 0x80;
    c = (c << 6U) | (byte(i) & 0x3FU);
  }
  right = right && c >= kLeast[length] && c <= 0x10FFFF && (c < 0xD800 || c > 0xDFFF);
  text.remove_prefix(right ? length : 1);
  return right ? c : kReplacement;
}

// Shown instead: what XML forbids, and what would break lines, hide or reverse text.
char32_t Shown(char32_t c) {
  if (c < 0x20) return 0x2400 + c;
  if (c == 0x7F) return 0x2421;
  const bool reorders = (c >= 0x202A && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069);
  const bool breaks = (c >= 0x80 && c < 0xA0) || c == 0x2028 || c == 0x2029;
  return reorders || breaks || (c & 0xFFFEU) == 0xFFFE ? kReplacement : c;
}

void AppendUtf8(char32_t c, std::string& text) {
  const auto tail = [&](unsigned shift) {
    text += static_cast<char>(0x80U | ((c >> shift) & 0x3FU));
  };
  if (c < 0x80) {
    text += static_cast<char>(c);
  } else if (c < 0x800) {
    text += static_cast<char>(0xC0U | (c >> 6U));
    tail(0);
  } else if (c < 0x10000) {
    text += static_cast<char>(0xE0U | (c >> 12U));
    tail(6);
    tail(0);
  } else {
    text += static_cast<char>(0xF0U | (c >> 18U));
    tail(12);
    tail(6);
    tail(0);
  }
}

void AppendEscaped(char32_t c, std::string& text) {
  switch (c) {
    case '&':
      text += "&amp;";
      break;
    case '<':
      text += "&lt;";
      break;
    case '>':
      text += "&gt;";
      break;
    case '"':
      text += "&quot;";
      break;
    case '\'':
      text += "&#39;";
      break;
    default:
      AppendUtf8(c, text);
  }
}

}  // namespace

std::string Escape(std::string_view text) {
  return EscapeShort(text, std::numeric_limits<std::size_t>::max());
}

std::string EscapeShort(std::string_view text, std::size_t max_characters) {
  std::string escaped;
  std::string before_last;  // what is left when the last character must give way to the ellipsis
  std::size_t count = 0;
  while (!text.empty() && count < max_characters) {
    if (++count == max_characters) before_last = escaped;
    AppendEscaped(Shown(TakeCharacter(text)), escaped);
  }
  return text.empty() ? escaped : before_last + "…";
}

}  // namespace opass::reports
