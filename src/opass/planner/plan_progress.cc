#include "opass/planner/plan_progress.h"

#include <fmt/format.h>

#include "opass/support/bytes.h"

namespace opass::planner {

std::string ProgressText(const PlanProgress& progress) {
  std::string text = progress.stage;
  if (!progress.peak_bytes) return text;
  text += ": peak " + FormatBytes(*progress.peak_bytes);
  if (!progress.lower_bound_bytes) return text;
  const std::int64_t bound = *progress.lower_bound_bytes;
  text += ", bound " + FormatBytes(bound);
  if (bound <= 0) return text;
  const double above = static_cast<double>(*progress.peak_bytes - bound);
  return text + fmt::format(", gap {:.1f} %", 100 * above / static_cast<double>(bound));
}

}  // namespace opass::planner
