#pragma once

#include "opass/memory/plan.h"
#include "opass/memory/problem.h"

namespace opass::memory {

// The problem without the kinds of sharing that are not allowed: views get bytes of their own,
// in-place candidates are dropped.
Problem ApplySharing(Problem problem, const Sharing& sharing);

}  // namespace opass::memory
