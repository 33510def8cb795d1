#pragma once

#include <cstdint>

namespace opass::schedulers {

// The numbers of bytes that can be live: an offset and multiples of a unit. Sizes have large common
// divisors, and budgets between two such numbers allow the same orders: one of them is enough.
class ByteGrid {
 public:
  ByteGrid() = default;
  // What is always live, and the greatest common divisor of all that comes and goes (0: nothing).
  ByteGrid(std::int64_t offset_bytes, std::int64_t unit_bytes)
      : offset_bytes_(offset_bytes), unit_bytes_(unit_bytes > 0 ? unit_bytes : 1) {}

  // The number of the cell [offset + n * unit, offset + (n + 1) * unit) that holds `bytes`.
  std::int64_t Cell(std::int64_t bytes) const {
    const std::int64_t above = bytes - offset_bytes_;
    const std::int64_t toward_zero = above / unit_bytes_;
    return above % unit_bytes_ < 0 ? toward_zero - 1 : toward_zero;
  }
  // The most bytes of a cell: as a budget, it allows what any budget in the cell allows.
  std::int64_t LastOf(std::int64_t cell) const {
    return offset_bytes_ + unit_bytes_ * (cell + 1) - 1;
  }

 private:
  std::int64_t offset_bytes_ = 0;
  std::int64_t unit_bytes_ = 1;
};

}  // namespace opass::schedulers
