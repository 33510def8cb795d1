#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace opass::planner {

// What is being done and what is known so far.
struct PlanProgress {
  std::string stage;  // the scheduler or allocator that runs, or "lower bound"
  std::optional<std::int64_t> peak_bytes;
  std::optional<std::int64_t> lower_bound_bytes;
};

// "exact: peak 96.0 KiB, bound 80.0 KiB, gap 20.0 %", for people.
std::string ProgressText(const PlanProgress& progress);

}  // namespace opass::planner
