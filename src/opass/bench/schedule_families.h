#pragma once

#include "opass/bench/schedule_part.h"

namespace opass::bench {

// Members of the families of about 100, 200, 400 and 1,000 operators: how many are proven.
Result<PartReport> ScheduleFamilies(const ScheduleSettings& settings);

}  // namespace opass::bench
