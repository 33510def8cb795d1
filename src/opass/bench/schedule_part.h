#pragma once

#include <string>
#include <vector>

#include "opass/bench/part_report.h"
#include "opass/support/result.h"

// A part of `opass bench schedule`: schedule_nets.h, schedule_families.h, ...
namespace opass::bench {

struct ScheduleSettings {
  std::string models = "models";         // folder of ONNX models
  std::string data = "docs/benchmarks";  // folder of the reference tables
  std::vector<std::string> families;     // empty: all
  std::vector<std::int64_t> sizes;       // empty: those of the part
};

}  // namespace opass::bench
