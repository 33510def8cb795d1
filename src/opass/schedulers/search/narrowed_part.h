#pragma once

#include <cstdint>
#include <memory>

#include "opass/schedulers/search/implied_edges.h"
#include "opass/schedulers/search/part.h"

namespace opass::schedulers {

// A part with the precedences that every order within a budget respects. They cost thousands of
// cuts, so that they are kept for the searches with more nodes that may follow.
struct NarrowedPart {
  std::int64_t budget_bytes = 0;
  Implied implied;
  std::unique_ptr<const Part> part;  // none: without precedences to add, or refuted
};

}  // namespace opass::schedulers
