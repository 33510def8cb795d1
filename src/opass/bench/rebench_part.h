#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "opass/bench/part_report.h"
#include "opass/support/result.h"

// A part of `opass bench rebench`: rebench_correct.h, ...
namespace opass::bench {

struct RebenchSettings {
  std::string folder;                   // of the Relay texts, expected/ in it
  std::vector<std::string> only;        // names of graphs; empty: all
  std::int64_t evaluations = 300;       // of a search over passes
  std::int64_t model_evaluations = 10;  // the same of a real model, which has a thousand operators
};

// The graphs to measure of the 36, "01" to "36", and of the two real models; in this order.
std::vector<std::string> ChosenGraphs(const RebenchSettings& settings);
// Of the 36; the two real models are no part of any mean.
bool IsReBench(const std::string& graph);
inline constexpr std::size_t kNumReBench = 36;

}  // namespace opass::bench
