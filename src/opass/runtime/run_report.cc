#include "opass/runtime/run_report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace opass::runtime {

std::string Difference::ToString() const {
  std::string what;
  if (!overwritten) {
    what = fmt::format("step {}: {} computes '{}' wrongly in the arena", step, node, value);
  } else if (node.empty()) {
    what = fmt::format("'{}' is overwritten before the end of the run", value);
  } else {
    what = fmt::format("step {}: '{}' is overwritten before {} reads it", step, value, node);
  }
  what += fmt::format(": byte {} differs", byte);
  if (in_arena) {
    what += fmt::format(" (offset {}, at {}, right at {})", offset_bytes, arena_address,
                        reference_address);
  }
  if (!also_there.empty()) what += fmt::format("; also there: {}", fmt::join(also_there, ", "));
  return what;
}

}  // namespace opass::runtime
