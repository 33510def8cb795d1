#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "opass/allocators/blocks.h"
#include "opass/support/result.h"

// Allocators place the blocks of a schedule in one arena. One algorithm a file: a file of this
// folder registers by its name (registry.cc).
namespace opass::allocators {

struct AllocatorOptions {
  std::uint64_t seed = 0;
  // Pieces that may be compared; an allocator that tries several ways tries no further one after.
  // Problems where one way alone compares more are placed in time (place_in_time.h).
  std::uint64_t max_work = 100'000'000;
};

struct Allocator {
  std::string_view name;
  std::string_view summary;  // one line
  // The base of every block: a multiple of the alignment, and no two pieces that live at the same
  // time overlap. Deterministic; no claim about the arena.
  Result<std::vector<std::int64_t>> (*run)(const BlockProblem& problem,
                                           const AllocatorOptions& options);
};

// All allocators, by name.
std::span<const Allocator> Allocators();
// Null when there is none of that name.
const Allocator* FindAllocator(std::string_view name);

}  // namespace opass::allocators
