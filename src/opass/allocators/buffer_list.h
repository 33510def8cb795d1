#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "opass/support/result.h"

namespace opass::allocators {

// A buffer to place: `size_bytes` during the steps [first, last).
struct ListedBuffer {
  std::string name;
  std::int64_t first = 0;
  std::int64_t last = 0;  // above first
  std::int64_t size_bytes = 0;
};

// Reads minimalloc's CSV: a heading with the columns id, lower, upper and size in any order, then a
// row a buffer; a column `offset` is not read. `where` names the file in errors (kInvalidInput): a
// missing, doubled or unknown column, a row of another length, what is no whole number, an empty
// lifetime, a negative size, sizes that sum up to more than 2^62.
Result<std::vector<ListedBuffer>> ParseBufferList(std::string_view csv, const std::string& where);

// The same rows as id,lower,upper,size,offset.
std::string BufferListToCsv(std::span<const ListedBuffer> buffers,
                            std::span<const std::int64_t> offsets);

// Do no two buffers that live at the same time overlap, and does none start below 0? A sweep over
// time with the live buffers by offset, O(n log n). Error (kRefused): the first pair by time.
Status CheckOffsets(std::span<const ListedBuffer> buffers, std::span<const std::int64_t> offsets);

}  // namespace opass::allocators
