#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "opass/bench/part_report.h"
#include "opass/support/json.h"
#include "opass/support/result.h"

// Benchmarks that consist of parts, each with a table of its own.
namespace opass::bench {

template <typename Settings>
struct Part {
  const char* name;
  const char* title;
  Result<PartReport> (*run)(const Settings& settings);
};

template <typename Settings, std::size_t kSize>
std::vector<std::string> NamesOf(const Part<Settings> (&parts)[kSize]) {
  std::vector<std::string> names;
  for (const Part<Settings>& part : parts) names.emplace_back(part.name);
  return names;
}

// Runs the chosen parts (none: all) and prints what they found, and the goals that were missed.
// Returns the exit code. `kept` gets the reports.
template <typename Settings, std::size_t kSize>
Result<int> RunParts(const Part<Settings> (&parts)[kSize], std::span<const std::string> chosen,
                     const Settings& settings, bool json, std::vector<PartReport>* kept = nullptr) {
  Json all;
  std::vector<std::string> missed;
  for (const Part<Settings>& part : parts) {
    if (!chosen.empty() && std::ranges::count(chosen, part.name) == 0) continue;
    OPASS_ASSIGN_OR_RETURN(PartReport report, part.run(settings));
    if (!json) fmt::print("{}\n\n{}\n", part.title, report.text);
    missed.insert(missed.end(), report.missed.begin(), report.missed.end());
    all[part.name] = std::move(report.json);
    if (kept != nullptr) kept->push_back(std::move(report));
  }
  all["missed"] = missed;
  if (json) {
    fmt::print("{}\n", all.dump(2));
  } else {
    for (const std::string& goal : missed) fmt::print("missed: {}\n", goal);
  }
  return missed.empty() ? 0 : ExitCode(ErrorCode::kRefused);
}

}  // namespace opass::bench
