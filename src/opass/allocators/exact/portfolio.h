#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "opass/allocators/exact/fit_search.h"
#include "opass/allocators/exact/instance.h"

namespace opass::allocators::exact_offsets {

// No way to search is good on all instances, and run times have long tails: many short runs, each
// drawn anew.

// 1 1 2 1 1 2 4 1 ...: the limits of run 1, 2, ... (Luby, Sinclair and Zuckerman, 1993).
std::uint64_t LubyNumber(std::uint64_t run);

// What a run is drawn from; the order itself is noise on top of it.
struct Draw {
  int key = 0;
  int noise_percent = 0;
  FitSettings settings;  // without ranks
};

Draw DrawSettings(std::mt19937_64& random);
// The fixed orders of the lane that searches without noise: by lifetime, load and area in turn, the
// lowest floor first, as canonical searches do (Moffitt, MiniMalloc, ASPLOS 2023).
Draw PlainSettings(std::uint64_t run);

// Fills in the ranks.
FitSettings MakeSettings(const Instance& instance, const Draw& draw, std::mt19937_64& random);

}  // namespace opass::allocators::exact_offsets
