#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "opass/memory/judge_certificate.h"

namespace opass::reports {

// The memory figures of one graph; docs/memory_model.md defines each. Absent: not computed.
struct Figures {
  std::int64_t num_ops = 0;
  std::int64_t sum_bytes = 0;
  std::int64_t weights_bytes = 0;
  std::int64_t file_order_peak_bytes = 0;
  std::optional<std::int64_t> peak_bytes;
  std::optional<std::int64_t> arena_bytes;
  std::optional<std::int64_t> lower_bound_bytes;
};

// What executing the plan and the written model showed.
struct Verification {
  // True: every check that was made holds. Absent: nothing could be said, and why.
  std::optional<bool> verified;
  std::string reason;       // why absent: a slug of docs/errors.md
  std::string message;      // the same in a sentence
  std::string arena_check;  // one phrase each, for the table; empty: not made
  std::string model_check;
  std::optional<double> max_abs_error;        // written model against the original
  std::vector<std::string> notes;             // saturated outputs, hollow kernels
  std::optional<std::int64_t> scratch_bytes;  // most that a kernel took beside its outputs
  std::string scratch_node;                   // the node that took it
  std::optional<std::int64_t> outside_bytes;  // high-water mark of all else the run allocated
};

struct PassLine {
  std::string name;
  int num_changes = 0;
  double seconds = 0;
  std::vector<std::string> notes;
};

// Everything a command has to tell of one model; the terminal table and the JSON object are two
// renderings of it.
struct Report {
  std::string model;
  std::string output;  // files written; empty: none
  std::string plan;
  std::string target;
  std::int64_t alignment = 0;
  std::int64_t opset = 0;  // of the written model
  std::int64_t input_opset = 0;
  Figures before;
  Figures after;
  std::string scheduler;  // that found the order
  std::string allocator;  // that found the offsets
  bool proven_optimal = false;
  std::string lower_bound_reason;  // "operator 'conv_3': its inputs and outputs"
  bool deterministic = true;
  bool stopped_by_time = false;  // planning ended before its work was done
  std::vector<PassLine> passes;
  std::vector<std::string> unplanned_values;
  std::vector<std::string> warnings;
  Verification verification;
  std::vector<memory::JudgedClaim> claims;              // of the certificate, with --prove
  std::vector<std::pair<std::string, double>> seconds;  // by stage, in order; "total" last
};

// (peak - bound) / bound; 0 for a bound of 0 that is met.
double Gap(std::int64_t peak_bytes, std::int64_t lower_bound_bytes);

// The table for a terminal. `color`: bold headings.
std::string Table(const Report& report, bool color);

// What --verbose adds: passes, notes, values outside the arena.
std::string Details(const Report& report);

// The object of `--json` (docs/formats.md), as text with a line break at its end.
std::string JsonText(const Report& report);

}  // namespace opass::reports
