#pragma once

#include <string>

#include "opass/memory/plan.h"
#include "opass/memory/problem.h"

namespace opass::memory {

// The plan's buffers as an allocation problem and its solution, in the CSV form of minimalloc:
// `id,lower,upper,size,offset`, steps half-open. One row for every buffer that owns its bytes:
// views lengthen the row of their source; an in-place output has a row from the step after its
// producer, where the old bytes end (that the two offsets must be equal cannot be said in this
// form).
std::string BuffersToCsv(const Problem& problem, const Plan& plan);

}  // namespace opass::memory
