#pragma once

#include "opass/memory/check_least_live.h"
#include "opass/support/result.h"

namespace opass::memory::check {

// Proves that no order of the part keeps the bound's edges, and that every order that needs less
// than its bytes has to: one cut for every edge, given those before it. False: out of work, nothing
// is known.
Result<bool> ProveContradiction(const Recount& recount, const Between& part, const Bound& bound,
                                std::uint64_t& work);

}  // namespace opass::memory::check
