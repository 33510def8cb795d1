#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "opass/allocators/exact/canonical_search.h"
#include "opass/allocators/exact/fit_search.h"
#include "opass/allocators/exact/instance.h"

namespace opass::allocators::exact_offsets {

// No way to search is good on all instances, and run times have long tails: many short runs, each
// drawn anew.

// 1 1 2 1 1 2 4 1 ...: the limits of run 1, 2, ... (Luby, Sinclair and Zuckerman, 1993).
std::uint64_t LubyNumber(std::uint64_t run);

// What a run of FitSearch is drawn from; the order itself is noise on top of it.
struct FitDraw {
  int key = 0;
  int noise_percent = 0;
  FitSettings settings;  // without ranks
};
FitDraw DrawFit(std::mt19937_64& random);
FitSettings MakeSettings(const Instance& instance, const FitDraw& draw, std::mt19937_64& random);

// The same of CanonicalSearch.
struct CanonicalDraw {
  int noise_percent = 0;
  CanonicalSettings settings;  // without factors
};
CanonicalDraw DrawCanonical(std::mt19937_64& random);
// The orders that minimalloc takes in turn (Moffitt, ASPLOS 2023), without noise.
CanonicalDraw PlainCanonical(std::uint64_t run);
CanonicalSettings MakeSettings(const Instance& instance, const CanonicalDraw& draw,
                               std::mt19937_64& random);

}  // namespace opass::allocators::exact_offsets
