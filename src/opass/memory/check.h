#pragma once

#include "opass/memory/plan.h"
#include "opass/memory/problem.h"
#include "opass/support/result.h"

namespace opass::memory {

// Judges a plan against the problem, apart from everything that makes plans: quadratic and obvious.
// Error (ErrorCode::kRefused) names the first violation: an order that is not a permutation or
// breaks a dependency; a live pair that overlaps without a declared alias; an alias that the
// problem does not allow or whose source is read later; an offset off the alignment or outside the
// arena; a lifetime, size, peak or bound that it recomputes differently.
Status Check(const Problem& problem, const Plan& plan);

}  // namespace opass::memory
