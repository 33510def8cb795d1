#include "opass/frontends/onnx/parse_bindings.h"

#include <fmt/format.h>

#include <charconv>
#include <optional>
#include <string_view>

#include "opass/support/bytes.h"

namespace opass::frontends {
namespace {

Error Unreadable(const std::string& text, const char* flag, const char* example) {
  return WithReason(
      InvalidInput(fmt::format("'{}' is no {}", text, flag), fmt::format("--{}", flag),
                   fmt::format("like --{} {}", flag, example)),
      "bad-binding");
}

std::optional<std::int64_t> ParseSize(std::string_view text) {
  std::int64_t size = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), size);
  if (code != std::errc() || end != text.data() + text.size()) return std::nullopt;
  if (size < 0 || size > kMaxBytes) return std::nullopt;
  return size;
}

}  // namespace

Result<NamedShape> ParseNamedShape(const std::string& text) {
  const Error unreadable = Unreadable(text, "shape", "input=1,3,224,224");
  const std::size_t split = text.rfind('=');
  if (split == std::string::npos || split == 0) return unreadable;
  NamedShape shape;
  shape.name = text.substr(0, split);
  std::string_view rest = std::string_view(text).substr(split + 1);
  const char separator = rest.find(',') != std::string_view::npos ? ',' : 'x';
  while (!rest.empty()) {
    const std::size_t end = rest.find(separator);
    const auto size = ParseSize(rest.substr(0, end));
    // A separator at the end promises another dimension.
    if (!size || end + 1 == rest.size()) return unreadable;
    shape.dims.push_back(*size);
    rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + 1);
  }
  return shape;
}

Result<NamedDim> ParseNamedDim(const std::string& text) {
  const Error unreadable =
      Unreadable(text, "dim", "batch=1, or --dim 'batch<=8' for an upper bound; sizes from 0");
  const std::size_t split = text.rfind('=');
  if (split == std::string::npos) return unreadable;
  const bool is_bound = split > 0 && text[split - 1] == '<';
  NamedDim dim;
  dim.symbol = text.substr(0, is_bound ? split - 1 : split);
  const auto size = ParseSize(std::string_view(text).substr(split + 1));
  if (!size || dim.symbol.empty()) return unreadable;
  dim.value = *size;
  return dim;
}

}  // namespace opass::frontends
