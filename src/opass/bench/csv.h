#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "opass/support/result.h"

namespace opass::bench {

// A row of a reference table, by the headings of the columns.
using CsvRow = std::map<std::string, std::string>;

// A CSV file of this project: lines that begin with '#' are comments, then headings, then rows. No
// quoting. Error (kInvalidInput): the file cannot be read.
Result<std::vector<CsvRow>> ReadCsv(const std::string& path);

// The number in a column; nothing when the row has none.
std::optional<std::int64_t> NumberOf(const CsvRow& row, const std::string& column);

}  // namespace opass::bench
