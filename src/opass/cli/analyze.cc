// opass analyze: what the peak is made of, and what order alone could gain at best.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "opass/analysis/profile.h"
#include "opass/cli/command.h"
#include "opass/cli/model_options.h"
#include "opass/reports/text_plot.h"
#include "opass/support/bytes.h"
#include "opass/support/json.h"
#include "opass/support/progress.h"

namespace opass::cli {
namespace {

constexpr int kPlotWidth = 72;
constexpr int kPlotHeight = 10;
constexpr std::size_t kShownValues = 12;

std::string DescribeValue(const Outcome& outcome, const analysis::LiveStorage& live) {
  const analysis::PosedProblem& posed = outcome.before_posed;
  const ir::Graph& graph = outcome.original.graph;
  const ir::Value& value = graph.value(posed.value_of[live.value.index()]);
  const std::string by = value.producer.valid()
                             ? fmt::format("{} '{}'", graph.node(value.producer).op_type,
                                           graph.node(value.producer).name)
                             : "graph input";
  return fmt::format("{:>12}  {}  {}  by {}", FormatBytes(live.size_bytes), value.name,
                     value.type.ToString(), by);
}

double Share(std::int64_t part, std::int64_t whole) {
  return whole == 0 ? 0 : 100.0 * static_cast<double>(part) / static_cast<double>(whole);
}

void PrintText(const Outcome& outcome, const analysis::PeakProfile& profile) {
  const memory::Schedule& before = outcome.before;
  const memory::Plan& plan = outcome.plan;
  const ir::Graph& graph = outcome.original.graph;
  const ir::Node& node = graph.node(outcome.before_posed.node_of_op[profile.op.index()]);
  fmt::print("{}\n", outcome.report.model);
  fmt::print("  operators            {}\n", before.order.size());
  fmt::print("  weights              {}\n", FormatBytes(outcome.before_posed.weights_bytes));
  fmt::print("  sum without reuse    {}\n", FormatBytes(outcome.before_posed.sum_bytes));
  fmt::print("  peak in file order   {} ({} bytes) at step {} (0 .. {}), {} '{}'\n",
             FormatBytes(before.peak_bytes), before.peak_bytes, profile.step,
             before.order.size() - 1, node.op_type, node.name);
  fmt::print("  best order found     {} ({} bytes, {:.1f} % less, by {})\n",
             FormatBytes(plan.peak_bytes), plan.peak_bytes,
             Share(before.peak_bytes - plan.peak_bytes, before.peak_bytes),
             outcome.report.scheduler);
  fmt::print("  order alone at best  {} ({} bytes, {:.1f} % less){}\n",
             FormatBytes(plan.lower_bound_bytes), plan.lower_bound_bytes,
             Share(before.peak_bytes - plan.lower_bound_bytes, before.peak_bytes),
             plan.proven_optimal ? ": reached, proven optimal" : "");
  if (!outcome.report.lower_bound_reason.empty()) {
    fmt::print("    because of {}\n", outcome.report.lower_bound_reason);
  }
  fmt::print("\nLive at the peak, in file order:\n");
  for (std::size_t i = 0; i < profile.live.size() && i < kShownValues; ++i) {
    fmt::print("  {}\n", DescribeValue(outcome, profile.live[i]));
  }
  if (profile.live.size() > kShownValues) {
    fmt::print("  ... and {} smaller values\n", profile.live.size() - kShownValues);
  }
  if (profile.workspace_bytes > 0) {
    fmt::print("  {:>12}  workspace\n", FormatBytes(profile.workspace_bytes));
  }
  fmt::print("\nLive bytes by step, in file order:\n{}",
             reports::TextPlot(before.step_bytes, kPlotWidth, kPlotHeight));
  fmt::print("\nIn the best order found:\n{}",
             reports::TextPlot(outcome.schedule.step_bytes, kPlotWidth, kPlotHeight));
}

void PrintJson(const Outcome& outcome, const analysis::PeakProfile& profile) {
  const analysis::PosedProblem& posed = outcome.before_posed;
  const ir::Graph& graph = outcome.original.graph;
  Json json;
  json["model"] = outcome.report.model;
  json["ops"] = outcome.before.order.size();
  json["weights_bytes"] = posed.weights_bytes;
  json["sum_bytes"] = posed.sum_bytes;
  json["file_order_peak_bytes"] = outcome.before.peak_bytes;
  json["peak_bytes"] = outcome.plan.peak_bytes;
  json["lower_bound_bytes"] = outcome.plan.lower_bound_bytes;
  json["proven_optimal"] = outcome.plan.proven_optimal;
  json["lower_bound_reason"] = outcome.report.lower_bound_reason;
  json["scheduler"] = outcome.report.scheduler;
  Json& peak = json["file_order_peak"];
  const ir::Node& node = graph.node(posed.node_of_op[profile.op.index()]);
  peak["step"] = profile.step;
  peak["node"] = node.name;
  peak["op_type"] = node.op_type;
  peak["workspace_bytes"] = profile.workspace_bytes;
  peak["values"] = Json::array();
  for (const analysis::LiveStorage& live : profile.live) {
    const ir::Value& value = graph.value(posed.value_of[live.value.index()]);
    Json entry;
    entry["value"] = value.name;
    entry["bytes"] = live.size_bytes;
    entry["type"] = value.type.ToString();
    entry["producer"] = value.producer.valid() ? Json(graph.node(value.producer).name) : Json();
    peak["values"].push_back(entry);
  }
  json["file_order_step_bytes"] = outcome.before.step_bytes;
  json["step_bytes"] = outcome.schedule.step_bytes;
  json["unplanned_values"] = outcome.report.unplanned_values;
  fmt::print("{}\n", json.dump(2, ' ', false, Json::error_handler_t::replace));
}

Result<int> Run(ModelOptions& options, const Globals& globals) {
  options.no_verify = true;
  OPASS_RETURN_IF_ERROR(Resolve(options));
  options.options.run_passes = false;
  auto progress = std::make_unique<Progress>(!globals.quiet);
  options.options.on_stage = [&](const std::string& stage) { progress->Stage(stage); };
  auto outcome = Optimize(options.model, options.options);
  progress.reset();
  if (!outcome.ok()) return std::move(outcome.error());
  if (outcome->before.order.empty()) {
    return InvalidInput("the graph has no operators", options.model);
  }
  const memory::StorageGraph graph(outcome->before_posed.problem);
  const analysis::PeakProfile profile = analysis::ProfilePeak(graph, outcome->before);
  if (globals.json) {
    PrintJson(*outcome, profile);
  } else if (!globals.quiet) {
    PrintText(*outcome, profile);
  }
  return 0;
}

std::function<Result<int>()> Setup(CLI::App& app, const Globals& globals) {
  auto options = std::make_shared<ModelOptions>();
  AddModel(app, *options);
  AddMemoryModel(app, *options);
  AddPlanning(app, *options);
  return [options, &globals] { return Run(*options, globals); };
}

}  // namespace

extern const Command command_analyze;
const Command command_analyze = {
    .name = "analyze",
    .summary = "Say what the peak is made of and what order alone could gain",
    .examples =
        "  opass analyze model.onnx\n"
        "  opass analyze model.onnx --dim batch=1 --sharing none --json\n",
    .setup = Setup,
};

}  // namespace opass::cli
