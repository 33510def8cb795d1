#include "opass/onnx/utf8.h"

#include <cstdint>

namespace opass::onnxlib {
namespace {

// Bytes that follow a leading byte; -1: not a leading byte.
int Followers(unsigned char lead) {
  if (lead < 0x80) return 0;
  if (lead >= 0xc2 && lead <= 0xdf) return 1;
  if (lead >= 0xe0 && lead <= 0xef) return 2;
  if (lead >= 0xf0 && lead <= 0xf4) return 3;
  return -1;
}

bool IsCodePoint(std::uint32_t code, int followers) {
  if (followers == 2) return code >= 0x800 && (code < 0xd800 || code > 0xdfff);
  if (followers == 3) return code >= 0x10000 && code <= 0x10ffff;
  return true;
}

}  // namespace

bool IsUtf8(std::string_view text) {
  for (std::size_t i = 0; i < text.size();) {
    const unsigned char lead = static_cast<unsigned char>(text[i++]);
    const int followers = Followers(lead);
    if (followers < 0 || text.size() - i < static_cast<std::size_t>(followers)) return false;
    std::uint32_t code = followers == 0 ? lead : lead & (0x3fU >> followers);
    for (int k = 0; k < followers; ++k) {
      const unsigned char next = static_cast<unsigned char>(text[i++]);
      if ((next & 0xc0) != 0x80) return false;
      code = (code << 6) | (next & 0x3fU);
    }
    if (!IsCodePoint(code, followers)) return false;
  }
  return true;
}

std::string Printable(std::string text) {
  if (IsUtf8(text)) return text;
  for (char& c : text) {
    if (static_cast<unsigned char>(c) >= 0x80) c = '?';
  }
  return text;
}

}  // namespace opass::onnxlib
