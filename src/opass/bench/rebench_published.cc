#include "opass/bench/rebench_published.h"

#include <fmt/format.h>

#include <charconv>
#include <filesystem>
#include <sstream>

#include "opass/support/file.h"

namespace opass::bench {
namespace {

constexpr std::string_view kHeadings = "profiler,graph,method,memory_mib,seconds,sequence";
constexpr std::size_t kNumColumns = 6;
constexpr const char* kPassesThatChangePrecision[] = {"ToMixedPrecision",
                                                      "FakeQuantizationToInteger"};

std::optional<double> DecimalOf(const std::string& text) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

// The first cells of a line; the rest of the line, commas and all, in the last one.
std::vector<std::string> CellsOf(const std::string& line, std::size_t count) {
  std::vector<std::string> cells;
  std::size_t begin = 0;
  while (cells.size() + 1 < count) {
    const std::size_t end = line.find(',', begin);
    if (end == std::string::npos) break;
    cells.push_back(line.substr(begin, end - begin));
    begin = end + 1;
  }
  cells.push_back(line.substr(begin));
  return cells;
}

std::optional<double> Find(const auto& map, const auto& key) {
  const auto found = map.find(key);
  return found == map.end() ? std::nullopt : std::optional<double>(found->second);
}

}  // namespace

Result<Published> Published::Read(const std::string& folder) {
  Published published;
  const std::string path = folder + "/published_results.csv";
  if (!std::filesystem::exists(path)) return published;
  OPASS_ASSIGN_OR_RETURN(const std::string text, ReadFile(path));
  std::istringstream lines(text);
  std::string line;
  std::getline(lines, line);
  if (!line.starts_with(kHeadings)) {
    return InvalidInput(fmt::format("the columns are not {}", kHeadings), path);
  }
  for (int number = 2; std::getline(lines, line); ++number) {
    if (line.empty()) continue;
    const std::vector<std::string> cells = CellsOf(line, kNumColumns);
    const auto graph = cells.size() == kNumColumns ? DecimalOf(cells[1]) : std::nullopt;
    const auto mib = graph ? DecimalOf(cells[3]) : std::nullopt;
    if (!mib) return InvalidInput("not a row of results", fmt::format("{}:{}", path, number));
    const Key key = {cells[0], fmt::format("{:02.0f}", *graph), cells[2]};
    published.mib_[key] = *mib;
    if (const auto seconds = DecimalOf(cells[4])) published.seconds_[key] = *seconds;
    for (const char* pass : kPassesThatChangePrecision) {
      if (cells[5].find(pass) != std::string::npos) published.change_precision_.insert(key);
    }
  }
  return published;
}

bool Published::ChangesPrecision(const std::string& profiler, const std::string& graph,
                                 const std::string& method) const {
  return change_precision_.contains(Key{profiler, graph, method});
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
