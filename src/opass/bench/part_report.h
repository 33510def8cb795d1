#pragma once

#include <string>
#include <vector>

#include "opass/bench/text_table.h"
#include "opass/support/json.h"

namespace opass::bench {

// A table that can be written to a file of its own.
struct NamedTable {
  std::string name;  // of the file, without an extension
  std::string title;
  TextTable table;
};

// What a part of a benchmark found: its tables as text and as JSON, and the goals that were missed.
struct PartReport {
  std::string text;
  Json json;
  std::vector<std::string> missed;
  std::vector<NamedTable> tables = {};  // those of `text` that are worth a file
};

}  // namespace opass::bench
