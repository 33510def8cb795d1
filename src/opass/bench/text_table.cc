#include "opass/bench/text_table.h"

#include <fmt/format.h>

#include <algorithm>

namespace opass::bench {
namespace {

std::string Quoted(const std::string& cell) {
  if (cell.find_first_of(",\"\n") == std::string::npos) return cell;
  std::string text = "\"";
  for (const char c : cell) {
    if (c == '"') text += '"';
    text += c;
  }
  return text + '"';
}

}  // namespace

std::string TextTable::ToCsv() const {
  std::string text;
  for (const auto& row : rows_) {
    for (std::size_t i = 0; i < row.size(); ++i) text += (i == 0 ? "" : ",") + Quoted(row[i]);
    text += '\n';
  }
  return text;
}

std::string TextTable::ToString() const {
  std::vector<std::size_t> widths(rows_.front().size());
  for (const auto& row : rows_) {
    for (std::size_t i = 0; i < widths.size() && i < row.size(); ++i) {
      widths[i] = std::max(widths[i], row[i].size());
    }
  }
  std::string text;
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    for (std::size_t i = 0; i < widths.size(); ++i) {
      const std::string& cell = i < rows_[r].size() ? rows_[r][i] : "";
      text += i == 0 ? fmt::format("| {:<{}} |", cell, widths[i])
                     : fmt::format(" {:>{}} |", cell, widths[i]);
    }
    text += '\n';
    if (r > 0) continue;
    for (std::size_t i = 0; i < widths.size(); ++i) {
      text += (i == 0 ? "|:" : "-") + std::string(widths[i], '-') + (i == 0 ? "-|" : ":|");
    }
    text += '\n';
  }
  return text;
}

}  // namespace opass::bench
