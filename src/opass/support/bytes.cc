#include "opass/support/bytes.h"

#include <fmt/format.h>

#include <cctype>
#include <charconv>
#include <utility>

namespace opass {

std::optional<std::int64_t> CheckedMul(std::int64_t a, std::int64_t b) {
  std::int64_t product = 0;
  if (__builtin_mul_overflow(a, b, &product)) return std::nullopt;
  return product;
}

std::optional<std::int64_t> CheckedAdd(std::int64_t a, std::int64_t b) {
  std::int64_t sum = 0;
  if (__builtin_add_overflow(a, b, &sum)) return std::nullopt;
  return sum;
}

Result<std::int64_t> ParseBytes(std::string_view text) {
  const auto wrong = [&] {
    return InvalidInput(fmt::format("'{}' is not a size in bytes", text), "",
                        "write for example 262144, 256KiB or 1.5MiB");
  };
  double number = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (code != std::errc() || !(number >= 0)) return wrong();
  std::string unit;
  for (const char* c = end; c != text.data() + text.size(); ++c) {
    if (*c != ' ') unit += static_cast<char>(std::tolower(static_cast<unsigned char>(*c)));
  }
  static constexpr std::pair<std::string_view, double> kUnits[] = {
      {"", 1},         {"b", 1},          {"k", 1024}, {"kib", 1024},      {"kb", 1e3},
      {"m", 1048576.}, {"mib", 1048576.}, {"mb", 1e6}, {"g", 1073741824.}, {"gib", 1073741824.},
      {"gb", 1e9},
  };
  for (const auto& [name, factor] : kUnits) {
    if (unit != name) continue;
    const double bytes = number * factor;
    if (bytes > static_cast<double>(kMaxBytes)) return wrong();
    return static_cast<std::int64_t>(bytes);
  }
  return wrong();
}

std::string FormatBytes(std::int64_t bytes) {
  const double value = static_cast<double>(bytes);
  if (bytes < 10 * 1024) return fmt::format("{} B", bytes);
  if (bytes < 10 * 1024 * 1024) return fmt::format("{:.1f} KiB", value / 1024);
  if (value < 10. * 1024 * 1024 * 1024) return fmt::format("{:.2f} MiB", value / 1048576);
  return fmt::format("{:.2f} GiB", value / 1073741824);
}

}  // namespace opass
