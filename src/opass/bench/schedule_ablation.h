#pragma once

#include "opass/bench/schedule_part.h"

namespace opass::bench {

// The rules of the exact search switched off, one at a time.
Result<PartReport> ScheduleAblation(const ScheduleSettings& settings);

}  // namespace opass::bench
