#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace opass::reports {

// A small plot of live bytes by step: `width` columns (each the maximum of its steps), `height`
// rows of block characters, the peak named at the top.
std::string TextPlot(const std::vector<std::int64_t>& step_bytes, int width, int height);

}  // namespace opass::reports
