#pragma once

#include "opass/bench/allocate_part.h"

namespace opass::bench {

// minimalloc's instances against the clock: how soon everything fits in kPuzzleCapacity.
Result<PartReport> AllocateFit(const AllocateSettings& settings);

// The same on generated instances, which no setting was chosen on.
Result<PartReport> AllocateGenerated(const AllocateSettings& settings);

}  // namespace opass::bench
