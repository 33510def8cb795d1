#pragma once

#include "opass/bench/allocate_part.h"

namespace opass::bench {

// minimalloc's challenging instances with constraints of one kind after the other, always the same
// ones for a seed; the default work unless settings.max_seconds is given.
Result<PartReport> AllocateConstrained(const AllocateSettings& settings);

}  // namespace opass::bench
