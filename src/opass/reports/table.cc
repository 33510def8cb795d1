#include <fmt/format.h>

#include <iterator>

#include "opass/reports/report.h"
#include "opass/support/bytes.h"

namespace opass::reports {
namespace {

constexpr const char* kAbsent = "-";

// A figure with its exact bytes: people compare tables of different tools by the byte.
std::string Cell(std::optional<std::int64_t> bytes) {
  if (!bytes) return kAbsent;
  return fmt::format("{} ({})", *bytes, FormatBytes(*bytes));
}

std::string Percent(std::int64_t before, std::optional<std::int64_t> after) {
  if (!after || before == 0) return "";
  return fmt::format("{:+.1f} %",
                     100.0 * static_cast<double>(*after - before) / static_cast<double>(before));
}

class TableWriter {
 public:
  explicit TableWriter(bool color) : color_(color) {}

  void Heading(const std::string& text) {
    text_ += color_ ? "\x1b[1m" + text + "\x1b[0m\n" : text + "\n";
  }
  void Row(const std::string& name, const std::string& before, const std::string& after,
           const std::string& change = "") {
    fmt::format_to(std::back_inserter(text_), "  {:<22} {:>26} {:>26}", name, before, after);
    if (!change.empty()) fmt::format_to(std::back_inserter(text_), "  {:>8}", change);
    text_ += '\n';
  }
  void Line(const std::string& name, const std::string& value) {
    if (!value.empty()) fmt::format_to(std::back_inserter(text_), "  {:<22} {}\n", name, value);
  }
  std::string Take() { return std::move(text_); }

 private:
  bool color_;
  std::string text_;
};

std::string GapText(const Report& report) {
  if (!report.after.peak_bytes || !report.after.lower_bound_bytes) return kAbsent;
  const double gap = Gap(*report.after.peak_bytes, *report.after.lower_bound_bytes);
  return report.proven_optimal ? "0 %, proven optimal" : fmt::format("{:.2f} %", 100 * gap);
}

std::string VerifiedText(const Verification& verification) {
  if (!verification.verified) return "not verified: " + verification.message;
  std::string text = *verification.verified ? "yes" : "NO: " + verification.message;
  for (const std::string& check : {verification.arena_check, verification.model_check}) {
    if (!check.empty()) text += "; " + check;
  }
  return text;
}

// Values whose size nobody knows before the run are the first thing to know about an arena.
std::string UnplannedText(const std::vector<std::string>& values) {
  constexpr std::size_t kShown = 3;
  if (values.empty()) return "";
  std::string text = fmt::format("{} of unknown size, strings or sequences:", values.size());
  for (std::size_t i = 0; i < values.size() && i < kShown; ++i) text += " '" + values[i] + "'";
  return text + (values.size() > kShown ? " ... (-v lists all)" : "");
}

std::string ScratchText(const Verification& verification) {
  if (!verification.scratch_bytes) return "";
  std::string text = FormatBytes(*verification.scratch_bytes);
  if (!verification.scratch_node.empty()) text += ", most by '" + verification.scratch_node + "'";
  return text;
}

}  // namespace

double Gap(std::int64_t peak_bytes, std::int64_t lower_bound_bytes) {
  if (peak_bytes <= lower_bound_bytes || lower_bound_bytes == 0) {
    return peak_bytes <= lower_bound_bytes ? 0 : 1;
  }
  return static_cast<double>(peak_bytes - lower_bound_bytes) /
         static_cast<double>(lower_bound_bytes);
}

std::string Table(const Report& report, bool color) {
  TableWriter table(color);
  const Figures& before = report.before;
  const Figures& after = report.after;
  table.Heading(report.model);
  table.Row("", "before", "after");
  table.Row("operators", std::to_string(before.num_ops), std::to_string(after.num_ops));
  table.Row("sum without reuse", Cell(before.sum_bytes), Cell(after.sum_bytes),
            Percent(before.sum_bytes, after.sum_bytes));
  table.Row("peak in file order", Cell(before.file_order_peak_bytes),
            Cell(after.file_order_peak_bytes),
            Percent(before.file_order_peak_bytes, after.file_order_peak_bytes));
  table.Row("peak", Cell(before.peak_bytes), Cell(after.peak_bytes),
            Percent(before.file_order_peak_bytes, after.peak_bytes));
  table.Row("arena", Cell(before.arena_bytes), Cell(after.arena_bytes),
            Percent(before.arena_bytes.value_or(0), after.arena_bytes));
  table.Row("lower bound", Cell(before.lower_bound_bytes), Cell(after.lower_bound_bytes));
  table.Row("gap", kAbsent, GapText(report));
  table.Row("weights", Cell(before.weights_bytes), Cell(after.weights_bytes));
  table.Line("bound by", report.lower_bound_reason);
  table.Line("order by", report.scheduler);
  table.Line("offsets by", report.allocator);
  if (report.opset != report.input_opset) {
    table.Line("opset", fmt::format("{}, converted from {}", report.opset, report.input_opset));
  }
  table.Line("precision", report.precision);
  for (const PassLine& pass : report.passes) {
    for (const std::string& note : pass.notes) table.Line("note", pass.name + ": " + note);
  }
  table.Line("not in the arena", UnplannedText(report.unplanned_values));
  table.Line("verified", VerifiedText(report.verification));
  table.Line("kernel scratch", ScratchText(report.verification));
  if (report.verification.outside_bytes) {
    table.Line("outside the arena", FormatBytes(*report.verification.outside_bytes));
  }
  std::string seconds;
  for (const auto& [stage, time] : report.seconds) {
    seconds += fmt::format("{}{} {:.2f} s", seconds.empty() ? "" : ", ", stage, time);
  }
  table.Line("time", seconds);
  table.Line("written", report.output);
  table.Line("plan", report.plan);
  return table.Take();
}

}  // namespace opass::reports
