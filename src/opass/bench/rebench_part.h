#pragma once

#include <string>
#include <vector>

#include "opass/bench/part_report.h"
#include "opass/support/result.h"

// A part of `opass bench rebench`: rebench_correct.h, ...
namespace opass::bench {

struct RebenchSettings {
  std::string folder;             // of the Relay texts, expected/ in it
  std::vector<std::string> only;  // names of graphs; empty: all
};

// The graphs to measure of the 36, "01" to "36", and of the two real models; in this order.
std::vector<std::string> ChosenGraphs(const RebenchSettings& settings);

}  // namespace opass::bench
