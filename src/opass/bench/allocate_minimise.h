#pragma once

#include "opass/bench/allocate_part.h"

namespace opass::bench {

// The lowest arenas of minimalloc's instances in the time.
Result<PartReport> AllocateMinimise(const AllocateSettings& settings);

// 1,000 to 100,000 buffers, a few seconds.
Result<PartReport> AllocateLarge(const AllocateSettings& settings);

}  // namespace opass::bench
