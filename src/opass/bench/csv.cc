#include "opass/bench/csv.h"

#include <charconv>
#include <sstream>

#include "opass/support/file.h"

namespace opass::bench {

Result<std::vector<CsvRow>> ReadCsv(const std::string& path) {
  OPASS_ASSIGN_OR_RETURN(const std::string text, ReadFile(path));
  std::vector<CsvRow> rows;
  std::vector<std::string> headings;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.empty() || line[0] == '#') continue;
    std::vector<std::string> cells;
    std::istringstream row(line);
    for (std::string cell; std::getline(row, cell, ',');) cells.push_back(cell);
    if (headings.empty()) {
      headings = cells;
      continue;
    }
    CsvRow& named = rows.emplace_back();
    for (std::size_t i = 0; i < cells.size() && i < headings.size(); ++i) {
      named[headings[i]] = cells[i];
    }
  }
  return rows;
}

std::optional<std::int64_t> NumberOf(const CsvRow& row, const std::string& column) {
  const auto found = row.find(column);
  if (found == row.end()) return std::nullopt;
  const std::string& text = found->second;
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

}  // namespace opass::bench
