#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "opass/memory/problem.h"
#include "opass/planner/planner.h"
#include "opass/support/result.h"

namespace opass::bench {

// One problem through the schedulers and bounds of `auto`, without allocation.
struct ScheduleCase {
  std::string name;
  std::size_t num_ops = 0;
  std::int64_t file_order_bytes = 0;
  std::int64_t peak_bytes = 0;
  std::int64_t bound_bytes = 0;
  std::int64_t nodes = 0;  // states branched at by the searches that the certificate names
  double seconds = 0;      // of one thread
  std::vector<planner::SchedulerPeak> tried;

  bool proven() const { return peak_bytes == bound_bytes; }
  double gap_percent() const;
  std::string GapText() const;  // "proven" or "1.25 %"
  // The peak of one scheduler; 0 when `auto` did not need it.
  std::int64_t PeakOf(const std::string& scheduler) const;
};

// The problem as it is: no sharing is taken away from it.
Result<ScheduleCase> SolveCase(const memory::Problem& problem);

}  // namespace opass::bench
