#pragma once

#include "opass/bench/rebench_part.h"

namespace opass::bench {

// What every graph needs as planned: in file order, with the order alone, with the passes alone
// and with both, for both conventions of inputs; how much less than without reuse; in what time.
Result<PartReport> RebenchMemory(const RebenchSettings& settings);

}  // namespace opass::bench
