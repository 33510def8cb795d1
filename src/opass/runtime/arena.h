#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "opass/support/result.h"

namespace opass::runtime {

// The one allocation a plan runs in: size_bytes of fresh memory between two guard pages, where any
// access ends the program. The end stands at the upper guard page (when the size is a multiple of
// 64), so that one byte too many is seen at once; before the start stands a pattern, checked later,
// that fills the first page.
class Arena {
 public:
  static constexpr std::int64_t kAlignment = 64;

  // Error: kNotPossible ("no-memory"), the machine has no such memory.
  static Result<std::unique_ptr<Arena>> Make(std::int64_t size_bytes);
  ~Arena();
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;

  std::span<std::byte> bytes() const { return bytes_; }
  // Fills [begin, end) with 0xFF: a NaN in every floating-point format of two bytes and more.
  void Poison(std::int64_t begin, std::int64_t end);
  // False after something wrote beside the arena without reaching a guard page.
  bool CanaryIsIntact() const;

 private:
  Arena() = default;

  void* mapping_ = nullptr;
  std::size_t mapping_bytes_ = 0;
  std::span<std::byte> bytes_;
  std::span<std::byte> before_;  // canary: from the lower guard page to the arena
  std::span<std::byte> after_;   // canary: less than 64 bytes up to the upper guard page
};

}  // namespace opass::runtime
