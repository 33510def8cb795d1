#pragma once

#include <cstdint>
#include <vector>

#include "opass/allocators/exact/instance.h"

namespace opass::allocators::exact_offsets {

// Consecutive sections, half-open.
struct Part {
  std::int32_t low = 0;
  std::int32_t high = 0;
};

// What is left to place in a part: some buffers, each above the floors of its sections. Entries of
// sections outside the part, and heads of buffers not listed, have no meaning.
struct FitState {
  std::vector<std::int32_t> floor;    // per section: nothing more is placed below
  std::vector<std::int32_t> rest;     // per section: the sizes of the buffers left
  std::vector<std::int32_t> head;     // per buffer: the least offset it can still get
  std::vector<std::int32_t> buffers;  // those left; the highest head first after Propagate
  // Placed buffers on which one of the same lifetime and a lower number could still be put: with
  // the symmetry rules it must not be put directly on them.
  std::vector<std::int32_t> tops;

  void CopyFrom(const FitState& other, const Part& part);
};

// Raises heads to the floors, after the floors of `changed` were raised, and floors to the least
// head of their section. False when that leaves a section no room below `capacity`: every section
// is a machine on which buffers are jobs, with heads as release dates.
bool Propagate(const Instance& instance, const Part& part, const Part& changed,
               std::int32_t capacity, FitState& state);

}  // namespace opass::allocators::exact_offsets
