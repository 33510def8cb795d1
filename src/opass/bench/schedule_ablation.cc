#include "opass/bench/schedule_ablation.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "opass/analysis/pose_problem.h"
#include "opass/bench/schedule_members.h"
#include "opass/bench/text_table.h"
#include "opass/bounds/lower_bound.h"
#include "opass/frontends/onnx/import.h"
#include "opass/reports/report.h"
#include "opass/schedulers/scheduler.h"
#include "opass/schedulers/search/both_ways.h"
#include "opass/schedulers/search/exact.h"
#include "opass/support/interrupt.h"

namespace opass::bench {
namespace {

using schedulers::SearchRules;

// Hard ones for their size; a net in the memory model, or a member of a family.
struct Net {
  const char* name;
  bool in_place;
};
constexpr Net kNets[] = {{"rwcell_sum_n20_s20", false},
                         {"rwcell_sum_n24_s24", false},
                         {"nasnet_cifar_n6", false},
                         {"randwire_stack_s1_n32_x3", false},
                         {"randwire_sum_s1_n32_x3", true}};
struct Member {
  const char* family;
  std::int64_t size;
};
constexpr Member kMembers[] = {{"ws", 200},     {"er", 400},       {"layered", 200},
                               {"intree", 100}, {"grid", 200},     {"outtree", 100},
                               {"moe", 400},    {"trainnas", 400}, {"sp", 1000}};

struct Variant {
  std::string name;
  SearchRules rules;
};

std::vector<Variant> Variants() {
  std::vector<Variant> variants = {{"all rules", {}}};
  Variant none{"none of them", {}};
  for (const auto& [name, rule] : schedulers::kSearchRules) {
    Variant& without = variants.emplace_back("no " + std::string(name), SearchRules());
    without.rules.*rule = false;
    none.rules.*rule = false;
  }
  none.rules.memo = true;  // a search without it is not worth a figure
  none.name = "memo alone";
  variants.push_back(std::move(none));
  return variants;
}

// The exact search from the better greedy order, with the rules of the variant.
std::string Measure(const memory::Problem& problem, const SearchRules& rules, Json& json) {
  const auto start = std::chrono::steady_clock::now();
  const memory::StorageGraph graph(problem);
  const schedulers::StepGraph steps(graph);
  const std::vector<memory::OpId> order = *schedulers::FindScheduler("greedy")->run(graph, {});
  bounds::LowerBoundOptions bound_options;
  bound_options.stop_at = schedulers::PeakBytes(steps, order);
  bound_options.order = order;
  memory::Certificate bound = bounds::LowerBound(graph, bound_options);
  schedulers::ExactOptions options;
  options.rules = rules;
  const auto result = schedulers::FindExact(graph, order, std::move(bound), options);
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  const double gap = 100 * reports::Gap(result.peak_bytes, result.bound.bytes);
  json["peak_bytes"] = result.peak_bytes;
  json["lower_bound_bytes"] = result.bound.bytes;
  json["nodes"] = result.nodes;
  json["seconds"] = seconds;
  if (gap > 0) return fmt::format("open {:.1f} % / {}", gap, result.nodes);
  return fmt::format("{:.2f} s / {}", seconds, result.nodes);
}

Result<std::vector<memory::Problem>> Problems(const ScheduleSettings& settings) {
  std::vector<memory::Problem> problems;
  for (const Net& net : kNets) {
    const std::string path = fmt::format("{}/{}.onnx", settings.models, net.name);
    OPASS_ASSIGN_OR_RETURN(const ir::Model model, frontends::ImportOnnx(path, {}));
    analysis::PoseOptions pose;
    pose.alignment = 1;
    pose.sharing = {.view = false, .in_place = net.in_place};
    OPASS_ASSIGN_OR_RETURN(auto posed, analysis::PoseProblem(model, pose));
    posed.problem.name = std::string(net.name) + (net.in_place ? ", in place" : "");
    problems.push_back(std::move(posed.problem));
  }
  for (const Member& member : kMembers) {
    problems.push_back(MakeMember(*FindFamily(member.family), member.size, 1, false));
  }
  return problems;
}

}  // namespace

Result<PartReport> ScheduleAblation(const ScheduleSettings& settings) {
  OPASS_ASSIGN_OR_RETURN(const auto problems, Problems(settings));
  const std::vector<Variant> variants = Variants();
  std::vector<std::string> headings = {"seconds / nodes"};
  for (const Variant& variant : variants) headings.push_back(variant.name);
  TextTable table(headings);
  PartReport report;
  report.json = Json::array();
  for (const memory::Problem& problem : problems) {
    fmt::print(stderr, "{} ...\n", problem.name);
    std::vector<std::string> row = {problem.name};
    for (const Variant& variant : variants) {
      if (InterruptedByUser()) return Error{ErrorCode::kInterrupted, "interrupted", "", "", ""};
      Json json = {{"problem", problem.name}, {"rules", variant.name}};
      row.push_back(Measure(problem, variant.rules, json));
      report.json.push_back(std::move(json));
    }
    table.Add(std::move(row));
  }
  report.text = table.ToString();
  return report;
}

}  // namespace opass::bench
