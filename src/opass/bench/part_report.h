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

// Bars from zero: a group for each row, a bar for each series.
struct BarPlot {
  struct Row {
    std::string name;
    std::vector<double> values;  // by series
  };
  std::string title;
  std::string unit;  // behind numbers: " %"
  std::vector<std::string> series;
  std::vector<Row> rows;
};

// What a part of a benchmark found: its tables as text and as JSON, and the goals that were missed.
struct PartReport {
  std::string text;
  Json json;
  std::vector<std::string> missed;
  // What of it is worth files of its own: tables, plots, and what `text` says beside the tables.
  std::vector<NamedTable> tables = {};
  std::vector<BarPlot> plots = {};
  std::string notes = {};
};

}  // namespace opass::bench
