#include <fmt/format.h>

#include <iterator>

#include "opass/reports/report.h"

namespace opass::reports {
namespace {

// So many of the actions tried in vain; the JSON report has all.
constexpr std::size_t kMaxRejected = 20;

std::string Gained(const std::optional<std::int64_t>& bytes) {
  return bytes ? fmt::format("{:+}", -*bytes) : "";
}

std::string VerificationText(const SearchReport& search) {
  std::string text;
  for (const SearchReport::Removed& removed : search.removed) {
    text += fmt::format("taken off by verification: {}: {}\n", removed.name, removed.message);
    for (const std::string& file : removed.reproducers) {
      text += fmt::format("  see {}\n", file);
    }
  }
  for (const std::string& note : search.notes) text += fmt::format("verification: {}\n", note);
  return text;
}

}  // namespace

std::string Explanation(const Report& report) {
  if (!report.search) return "";
  const SearchReport& search = *report.search;
  std::string text = fmt::format(
      "search '{}': {} graphs scheduled, {} could not be better, {} had too many MACs\n",
      search.strategy, search.evaluations, search.beyond_bound, search.too_many_macs);
  auto out = std::back_inserter(text);
  if (search.stopped_by == "user") text += "  stopped by Ctrl-C: the best so far\n";
  if (search.stopped_by == "time") text += "  stopped by --time: the best so far\n";
  fmt::format_to(out, "  peak {:>14} B  before\n", search.before_peak_bytes);
  for (const SearchReport::Step& step : search.steps) {
    fmt::format_to(out, "  {:>19} B  {}\n", Gained(step.gained_bytes), step.name);
    if (!step.enabled.empty()) {
      fmt::format_to(out, "  {:>23} makes possible: {}\n", "", fmt::join(step.enabled, ", "));
    }
  }
  fmt::format_to(out, "  peak {:>14} B  after, {:+} MACs (of at most {:+})\n",
                 search.after_peak_bytes, search.extra_macs, search.max_extra_macs);
  if (!search.rejected.empty()) fmt::format_to(out, "tried and not in the result:\n");
  for (std::size_t i = 0; i < search.rejected.size() && i < kMaxRejected; ++i) {
    const SearchReport::Attempt& attempt = search.rejected[i];
    fmt::format_to(out, "  {:>19} B  {}: {}\n", Gained(attempt.gained_bytes), attempt.name,
                   attempt.outcome);
  }
  if (search.rejected.size() > kMaxRejected) {
    fmt::format_to(out, "  and {} more (--json has all)\n", search.rejected.size() - kMaxRejected);
  }
  for (const std::string& failure : search.failures) {
    fmt::format_to(out, "failed: {}\n", failure);
  }
  return text + VerificationText(search);
}

std::string SearchTimes(const Report& report) {
  if (!report.search) return "";
  std::vector<std::string> parts;
  for (const auto& [stage, seconds] : report.seconds) {
    if (stage == "search" || stage == "verify actions") {
      parts.push_back(fmt::format("{}: {:.2f} s", stage, seconds));
    }
  }
  return parts.empty() ? "" : fmt::format("{}\n", fmt::join(parts, ", "));
}

}  // namespace opass::reports
