#pragma once

#include "opass/bench/schedule_part.h"

namespace opass::bench {

// The 25 nets in three memory models, beside the proven optima and HMCOS's peaks.
Result<PartReport> ScheduleNets(const ScheduleSettings& settings);

}  // namespace opass::bench
