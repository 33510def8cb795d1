#pragma once

#include <cstdint>

#include "opass/allocators/blocks.h"

namespace opass::allocators {

struct ListBounds {
  std::int64_t max_live_bytes = 0;
  std::int64_t lower_bound_bytes = 0;  // no arena is smaller
};

// What no layout of the blocks can go below: the most bytes live in a step; more where all that
// lives is aligned, since what begins at multiples of A takes multiples of A, the highest excepted;
// more where forbidden bytes lie below; and no block ends lower than it could beside what is fixed
// and forbidden alone. O(pieces log pieces) for each different alignment, of which the largest are
// looked at. The pieces of a block must not overlap.
ListBounds BoundsOf(const BlockProblem& problem);

}  // namespace opass::allocators
