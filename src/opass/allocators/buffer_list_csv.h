#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "opass/allocators/buffer_list.h"
#include "opass/support/result.h"

namespace opass::allocators {

// Reads minimalloc's CSV: a heading with the columns id, lower, upper and size in any order, then a
// row a buffer. A column `offset` is not read. Columns of constraints, whose empty cells mean none:
// alignment; gaps, `lower-upper` with spaces between them, both as minimalloc writes them; pin;
// pool; group and delta. `where` names the file in errors (kInvalidInput): a missing, doubled or
// unknown column, a row of another length, what is no whole number, what ValidateBuffer refuses,
// sizes that sum up to more than 2^62.
Result<std::vector<ListedBuffer>> ParseBufferList(std::string_view csv, const std::string& where);

// The same rows as id,lower,upper,size, the columns of constraints that any buffer has, offset.
// `pools`: per buffer the name to write for its pool; empty: what the buffer says.
std::string BufferListToCsv(std::span<const ListedBuffer> buffers,
                            std::span<const std::int64_t> offsets,
                            std::span<const std::string> pools = {});

}  // namespace opass::allocators
