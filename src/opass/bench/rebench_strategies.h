#pragma once

#include "opass/bench/rebench_part.h"

namespace opass::bench {

// What every strategy makes of every graph is executed and compared with what TVM computed. The
// real models go through 'none' and 'opass' alone, which take long enough; the training graph, for
// which there are no such data, is compared with itself as imported.
Result<PartReport> RebenchStrategies(const RebenchSettings& settings);

}  // namespace opass::bench
