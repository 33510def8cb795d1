#pragma once

#include <string>
#include <vector>

#include "opass/support/json.h"

namespace opass::bench {

// What a part of a benchmark found: its tables as text and as JSON, and the goals that were missed.
struct PartReport {
  std::string text;
  Json json;
  std::vector<std::string> missed;
};

}  // namespace opass::bench
