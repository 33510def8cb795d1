#pragma once

#include "opass/bench/allocate_part.h"

namespace opass::bench {

// The problems of `opass bench schedule --part families`, planned as a whole: where the arena
// exceeds the peak of the order, and by how much.
Result<PartReport> AllocateFamilies(const AllocateSettings& settings);

}  // namespace opass::bench
