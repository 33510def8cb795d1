#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "opass/support/result.h"

namespace opass {

// a * b and a + b of non-negative sizes, or nothing when they leave int64.
std::optional<std::int64_t> CheckedMul(std::int64_t a, std::int64_t b);
std::optional<std::int64_t> CheckedAdd(std::int64_t a, std::int64_t b);

// The smallest multiple of `alignment` (> 0) that is not below `bytes`. Sizes in opass are at most
// kMaxBytes, so the sum stays in range.
constexpr std::int64_t RoundUp(std::int64_t bytes, std::int64_t alignment) {
  return (bytes + alignment - 1) / alignment * alignment;
}

// No tensor, problem or file may claim more: keeps sums of a hundred thousand sizes in int64.
inline constexpr std::int64_t kMaxBytes = std::int64_t{1} << 46;

// "256KiB", "1.5 MiB", "64k", "1000" -> bytes. k, M, G mean 1024-based, like KiB, MiB, GiB; kB, MB,
// GB mean 1000-based.
Result<std::int64_t> ParseBytes(std::string_view text);

// 1622016 -> "1.55 MiB"; below 10 KiB -> "8192 B".
std::string FormatBytes(std::int64_t bytes);

}  // namespace opass
