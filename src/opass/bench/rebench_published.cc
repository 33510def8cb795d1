#include "opass/bench/rebench_published.h"

#include <fmt/format.h>

#include <charconv>
#include <filesystem>

#include "opass/bench/csv.h"

namespace opass::bench {
namespace {

std::optional<double> DecimalOf(const CsvRow& row, const std::string& column) {
  const auto found = row.find(column);
  if (found == row.end()) return std::nullopt;
  const std::string& text = found->second;
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

std::optional<double> Find(const auto& map, const auto& key) {
  const auto found = map.find(key);
  return found == map.end() ? std::nullopt : std::optional<double>(found->second);
}

}  // namespace

// The last column, a sequence of passes, holds commas; it is not read.
Result<Published> Published::Read(const std::string& folder) {
  Published published;
  const std::string path = folder + "/published_results.csv";
  if (!std::filesystem::exists(path)) return published;
  OPASS_ASSIGN_OR_RETURN(const std::vector<CsvRow> rows, ReadCsv(path));
  for (const CsvRow& row : rows) {
    const auto graph = NumberOf(row, "graph");
    const auto mib = DecimalOf(row, "memory_mib");
    if (!graph || !mib || !row.contains("profiler") || !row.contains("method")) {
      return InvalidInput("a row has not the columns profiler, graph, method and memory_mib", path);
    }
    const Key key = {row.at("profiler"), fmt::format("{:02}", *graph), row.at("method")};
    published.mib_[key] = *mib;
    if (const auto seconds = DecimalOf(row, "seconds")) published.seconds_[key] = *seconds;
  }
  return published;
}

std::optional<double> Published::Mib(const std::string& profiler, const std::string& graph,
                                     const std::string& method) const {
  return Find(mib_, Key{profiler, graph, method});
}

std::optional<double> Published::Seconds(const std::string& profiler, const std::string& graph,
                                         const std::string& method) const {
  return Find(seconds_, Key{profiler, graph, method});
}

std::vector<double> Published::SavedPercent(const std::string& profiler,
                                            const std::string& method) const {
  std::vector<double> saved;
  for (const auto& [key, mib] : mib_) {
    if (key.profiler != profiler || key.method != method) continue;
    const auto origin = Mib(profiler, key.graph, "Origin");
    if (origin && *origin > 0) saved.push_back(100 - 100 * mib / *origin);
  }
  return saved;
}

}  // namespace opass::bench
