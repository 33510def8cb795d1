#include <fmt/format.h>

#include <iterator>

#include "opass/reports/report.h"

namespace opass::reports {

std::string Details(const Report& report) {
  std::string text;
  auto out = std::back_inserter(text);
  for (const PassLine& pass : report.passes) {
    fmt::format_to(out, "  pass {:<20} {:>6} changes {:>8.3f} s\n", pass.name, pass.num_changes,
                   pass.seconds);
  }
  for (const std::string& note : report.verification.notes) {
    fmt::format_to(out, "  note {}\n", note);
  }
  for (const std::string& value : report.unplanned_values) {
    fmt::format_to(out, "  outside the arena: '{}'\n", value);
  }
  return text;
}

}  // namespace opass::reports
