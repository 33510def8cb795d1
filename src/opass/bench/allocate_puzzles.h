#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "opass/allocators/buffer_list.h"

namespace opass::bench {

// An instance that is known to fit: it was cut out of, or put into, an arena of kPuzzleCapacity.
struct Puzzle {
  std::string name;
  std::vector<allocators::ListedBuffer> buffers;
  std::vector<std::int64_t> offsets;  // the hidden layout
};

// Instances like minimalloc's challenging ones, as far as their numbers tell how those were made:
// 1024 steps times 1024 units are cut into pieces, straight through one piece at a time, and some
// pieces are taken away. In both, steps and sizes are multiples of 1024, buffers begin and end at
// half as many steps as there are buffers, and the arena is full at a few steps only.
//   uneven (like A to E, I to K)  the larger of any two, anywhere: a few long or large, many short
//   and small;
//                                 one of seven is taken away, 80 to 93 % of the area is left
//   even (like F to H)            the largest piece near its middle: sizes and lifetimes within a
//                                 factor of four; 60 % of the area is left
// Always the same for the same number.
Puzzle MakePuzzle(std::uint64_t number);

constexpr std::uint64_t kNumPuzzles = 20;  // measured: 1 to 20

// `count` buffers of a long run: most live shortly, one of 50 long, sizes from 64 bytes to 72 KiB.
std::vector<allocators::ListedBuffer> MakeManyBuffers(std::int64_t count, std::uint64_t seed);

}  // namespace opass::bench
