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
  std::optional<double> max_scaled_error;     // the largest over its tensor's largest magnitude
  std::string worst_tensor;                   // of the largest error; empty: there is none
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

// What a search over passes did.
struct SearchReport {
  struct Step {  // an action of the result
    std::string name;
    std::optional<std::int64_t> gained_bytes;  // of the peak; absent: not evaluated by itself
    std::vector<std::string> enabled;          // passes that it made possible
  };
  struct Attempt {  // an action that was tried, in whatever graphs
    std::string name;
    std::int64_t num_trials = 0;
    std::string outcome;                       // the best of them: "not better"
    std::optional<std::int64_t> gained_bytes;  // the most
  };

  struct Removed {  // an action that verification took off the result
    std::string name;
    std::string message;
    std::vector<std::string> reproducers;  // files
  };

  std::string strategy;
  std::string stopped_by;           // "user" or "time": before its budget was used up; or empty
  std::int64_t evaluations = 0;     // graphs that were scheduled
  std::int64_t full_schedules = 0;  // of these, scheduled a second time with more work
  std::int64_t beyond_bound = 0;    // graphs that could not be better: not scheduled
  std::int64_t too_many_macs = 0;
  std::int64_t repeats = 0;     // graphs met again
  std::int64_t no_changes = 0;  // actions that changed nothing
  std::int64_t before_peak_bytes = 0;
  std::int64_t after_peak_bytes = 0;
  std::int64_t extra_macs = 0;
  std::int64_t max_extra_macs = 0;
  std::vector<Step> steps;
  std::vector<Attempt> rejected;      // tried, and not in the result
  std::vector<std::string> failures;  // of passes
  std::vector<Removed> removed;       // the steps and figures above are those without it
  std::vector<std::string> notes;     // of the verification: what rounding flipped
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
  std::string precision;         // of the result, where float16 was allowed: "float16"; else empty
  std::vector<PassLine> passes;
  std::optional<SearchReport> search;  // absent: there was none
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

// What --explain adds: the actions of the search's result, and those that were tried in vain.
std::string Explanation(const Report& report);

// The seconds of the search and of the verification of its actions, in a line; empty without them.
std::string SearchTimes(const Report& report);

// The object of `--json` (docs/formats.md), as text with a line break at its end.
std::string JsonText(const Report& report);

}  // namespace opass::reports
