#pragma once

#include "opass/bench/schedule_part.h"

namespace opass::bench {

// Members of 10,000 and 100,000 operators, beside single schedulers and the study.
Result<PartReport> ScheduleLarge(const ScheduleSettings& settings);

}  // namespace opass::bench
