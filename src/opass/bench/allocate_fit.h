#pragma once

#include "opass/bench/allocate_part.h"

namespace opass::bench {

// minimalloc's instances against the clock: how soon everything fits in kPuzzleCapacity.
Result<AllocatePartReport> AllocateFit(const AllocateSettings& settings);

// The same on generated instances, which no setting was chosen on.
Result<AllocatePartReport> AllocateGenerated(const AllocateSettings& settings);

}  // namespace opass::bench
