#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "opass/allocators/buffer_list.h"
#include "opass/support/result.h"

namespace opass::allocators {

// Where buffers lie: by buffer, and by pool how many bytes that takes.
struct ListLayout {
  std::vector<std::int64_t> offsets;
  std::vector<std::size_t> pools;  // numbers
  std::vector<std::int64_t> arena_bytes;
};

// The judge of layouts, written apart from what makes them. Is every buffer in a pool of its name,
// from offset 0 up to the arena, at a multiple of its alignment, at its pin, outside of what is
// forbidden, and at its distance from its group? Do no two buffers share bytes in a step in which
// both live, unless they are of one group? A sweep over time with the bytes in use,
// O(n log n), and in a group at most its pairs. Error (kRefused): what is wrong.
Status CheckLayout(std::span<const ListedBuffer> buffers, std::span<const Pool> pools,
                   const ListLayout& layout);

// The same for plain buffers in one arena.
Status CheckOffsets(std::span<const ListedBuffer> buffers, std::span<const std::int64_t> offsets);

}  // namespace opass::allocators
