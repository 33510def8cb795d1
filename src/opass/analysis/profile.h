#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "opass/memory/schedule.h"
#include "opass/memory/storage.h"

namespace opass::analysis {

// One storage that is live at a step.
struct LiveStorage {
  memory::ValueId value;  // the root: the value that was written first
  std::int64_t size_bytes = 0;
};

// What the peak of an order is made of.
struct PeakProfile {
  std::int64_t step = 0;  // the first step at which the peak is reached
  memory::OpId op;        // the operator of that step
  std::int64_t workspace_bytes = 0;
  std::vector<LiveStorage> live;  // largest first; sums up to the peak with the workspace
};

// `schedule` must be an evaluated order of `graph` with at least one operator.
PeakProfile ProfilePeak(const memory::StorageGraph& graph, const memory::Schedule& schedule);

}  // namespace opass::analysis
