#include "opass/bench/schedule_nets.h"

#include <fmt/format.h>

#include "opass/analysis/pose_problem.h"
#include "opass/bench/csv.h"
#include "opass/bench/schedule_case.h"
#include "opass/bench/text_table.h"
#include "opass/bounds/lower_bound.h"
#include "opass/frontends/onnx/import.h"

namespace opass::bench {
namespace {

constexpr double kMaxSeconds = 0.5;  // one net in one memory model
constexpr double kMaxTotalSeconds = 5;

struct MemoryModel {
  const char* column;  // of schedule_optima.csv
  memory::Sharing sharing;
};

constexpr MemoryModel kMemoryModels[] = {
    {"none", {.view = false, .in_place = false}},
    {"in_place", {.view = false, .in_place = true}},
    {"views", {.view = true, .in_place = true}},
};

class Nets {
 public:
  explicit Nets(const ScheduleSettings& settings) : settings_(settings) {}

  Result<PartReport> Run() {
    OPASS_ASSIGN_OR_RETURN(const auto optima, ReadCsv(settings_.data + "/schedule_optima.csv"));
    OPASS_ASSIGN_OR_RETURN(const auto hmcos, ReadCsv(settings_.data + "/hmcos_reference.csv"));
    for (const CsvRow& row : hmcos) {
      if (const auto peak = NumberOf(row, "hmcos")) hmcos_[row.at("model")] = *peak;
    }
    report_.json = Json::array();
    for (const CsvRow& row : optima) OPASS_RETURN_IF_ERROR(AddNet(row));
    if (total_seconds_ > kMaxTotalSeconds) {
      report_.missed.push_back(fmt::format("{:.2f} s in all", total_seconds_));
    }
    report_.text = fmt::format(
        "{}\n{} of {} optima reached and proven, {:.2f} s of search in all\n", table_.ToString(),
        num_proven_, optima.size() * std::size(kMemoryModels), total_seconds_);
    return std::move(report_);
  }

 private:
  Status AddNet(const CsvRow& row) {
    const std::string& name = row.at("model");
    OPASS_ASSIGN_OR_RETURN(const ir::Model model,
                           frontends::ImportOnnx(settings_.models + "/" + name + ".onnx", {}));
    std::vector<std::string> cells = {name, std::to_string(model.graph.order.size())};
    double seconds = 0;
    for (const MemoryModel& memory_model : kMemoryModels) {
      analysis::PoseOptions pose;
      pose.alignment = 1;
      pose.sharing = memory_model.sharing;
      OPASS_ASSIGN_OR_RETURN(const auto posed, analysis::PoseProblem(model, pose));
      OPASS_ASSIGN_OR_RETURN(const ScheduleCase solved, SolveCase(posed.problem));
      const std::int64_t operator_bound =
          bounds::LowerBound(memory::StorageGraph(posed.problem)).bytes;
      Judge(name, memory_model.column, solved, NumberOf(row, memory_model.column));
      report_.json.back()["operator_bound_bytes"] = operator_bound;
      if (std::string_view(memory_model.column) == "in_place") {
        cells.push_back(std::to_string(solved.file_order_bytes));
        const auto found = hmcos_.find(name);
        cells.push_back(found == hmcos_.end() ? "-" : std::to_string(found->second));
        cells.push_back(std::to_string(operator_bound));
      }
      seconds += solved.seconds;
      peaks_.push_back(fmt::format("{}{}", solved.peak_bytes, solved.proven() ? "" : " open"));
    }
    cells.insert(cells.end(), peaks_.begin(), peaks_.end());
    peaks_.clear();
    cells.push_back(fmt::format("{:.3f}", seconds));
    table_.Add(std::move(cells));
    return {};
  }

  void Judge(const std::string& name, const std::string& memory_model, const ScheduleCase& solved,
             std::optional<std::int64_t> optimum) {
    const bool reached = solved.proven() && solved.peak_bytes == optimum;
    num_proven_ += reached ? 1 : 0;
    total_seconds_ += solved.seconds;
    if (!reached) report_.missed.push_back(fmt::format("{}, {}: the optimum", name, memory_model));
    if (solved.seconds > kMaxSeconds) {
      report_.missed.push_back(fmt::format("{}, {}: {:.2f} s", name, memory_model, solved.seconds));
    }
    report_.json.push_back({{"model", name},
                            {"sharing", memory_model},
                            {"ops", solved.num_ops},
                            {"file_order_bytes", solved.file_order_bytes},
                            {"peak_bytes", solved.peak_bytes},
                            {"lower_bound_bytes", solved.bound_bytes},
                            {"optimum_bytes", optimum ? Json(*optimum) : Json()},
                            {"proven_optimal", solved.proven()},
                            {"nodes", solved.nodes},
                            {"seconds", solved.seconds}});
  }

  const ScheduleSettings& settings_;
  std::map<std::string, std::int64_t> hmcos_;
  // The first three columns of bytes are in place.
  TextTable table_{{"model", "ops", "file order", "HMCOS", "operator bound", "none", "in place",
                    "in place, views", "s"}};
  std::vector<std::string> peaks_;
  PartReport report_;
  std::size_t num_proven_ = 0;
  double total_seconds_ = 0;
};

}  // namespace

Result<PartReport> ScheduleNets(const ScheduleSettings& settings) { return Nets(settings).Run(); }

}  // namespace opass::bench
