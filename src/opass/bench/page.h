#pragma once

#include <span>
#include <string>
#include <vector>

#include "opass/bench/part_report.h"

namespace opass::bench {

// One HTML page of tables and plots that loads nothing and runs no script.
std::string PageOf(const std::string& title, std::span<const PartReport> reports);

}  // namespace opass::bench
