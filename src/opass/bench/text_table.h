#pragma once

#include <string>
#include <vector>

namespace opass::bench {

// A Markdown table whose columns also line up as plain text: the first column to the left, the
// others to the right.
class TextTable {
 public:
  explicit TextTable(std::vector<std::string> headings) : rows_{std::move(headings)} {}
  void Add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }
  std::string ToString() const;
  std::string ToCsv() const;
  // Headings first.
  const std::vector<std::vector<std::string>>& rows() const { return rows_; }

 private:
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace opass::bench
