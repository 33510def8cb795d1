#include "opass/bench/rebench_figures.h"

#include <algorithm>
#include <ctime>

#include "opass/frontends/relay/import.h"
#include "opass/opass.h"

namespace opass::bench {
namespace {

Options OptionsOf(const RebenchSettings& settings, const std::string& graph, Way way,
                  memory::InputArrival inputs) {
  Options options;
  options.alignment = 1;
  options.inputs = inputs;
  options.verify = false;
  options.run_passes = way == Way::kPasses || way == Way::kBoth;
  if (options.run_passes) options.search.strategy = "opass";
  options.search.evaluations = IsReBench(graph) ? settings.evaluations : settings.model_evaluations;
  if (way == Way::kPasses) options.scheduler = "file_order";
  return options;
}

// Views hold no bytes of their own, and neither does what is written over a dying input.
std::int64_t SharedBytes(const memory::Problem& problem, const memory::Schedule& schedule) {
  std::int64_t bytes = 0;
  for (std::size_t i = 0; i < problem.values.size(); ++i) {
    const memory::Value& value = problem.values[i];
    if (!value.view && !schedule.takes_over[i].valid()) bytes += value.size_bytes;
  }
  return bytes;
}

Planned PlannedOf(const Outcome& outcome) {
  Planned planned;
  planned.peak_bytes = outcome.plan.peak_bytes;
  planned.arena_bytes = outcome.plan.arena_bytes;
  planned.bound_bytes = outcome.plan.lower_bound_bytes;
  planned.proven = outcome.plan.proven_optimal;
  if (outcome.report.search) planned.evaluations = outcome.report.search->evaluations;
  planned.sum_bytes = outcome.posed.sum_bytes;
  planned.shared_bytes = SharedBytes(outcome.posed.problem, outcome.schedule);
  planned.constant_bytes = outcome.posed.weights_bytes;
  return planned;
}

TextSums SumsOf(const frontends::relay::Conversion& conversion) {
  const ir::Graph& graph = conversion.model.graph;
  const auto bytes_of = [&](ir::ValueId id) {
    return graph.value(id).type.SizeBytes().value_or(0);
  };
  TextSums sums;
  for (const auto& variable : conversion.variables) {
    if (!variable.is_new) continue;
    for (const auto& tensor : Flatten(variable.item)) {
      if (tensor.value.valid()) sums.sum_bytes += bytes_of(tensor.value);
    }
  }
  for (const ir::ValueId id : graph.inputs) sums.parameter_bytes += bytes_of(id);
  for (const ir::ValueId id : graph.outputs) sums.result_bytes += bytes_of(id);
  return sums;
}

}  // namespace

std::int64_t TextSums::floor_bytes(memory::InputArrival inputs) const {
  return inputs == memory::InputArrival::kResident ? std::max(parameter_bytes, result_bytes)
                                                   : result_bytes;
}

std::string Name(Way way) {
  switch (way) {
    case Way::kFileOrder:
      return "file order";
    case Way::kOrder:
      return "order alone";
    case Way::kPasses:
      return "passes alone";
    case Way::kBoth:
      return "both";
  }
  return "";
}

double GraphFigures::SavedPercent(Way way) const {
  if (sums.sum_bytes == 0) return 0;
  return 100 - 100 * static_cast<double>(of(way).arena_bytes) / static_cast<double>(sums.sum_bytes);
}

Result<GraphFigures> MeasureGraph(const RebenchSettings& settings, const std::string& graph,
                                  memory::InputArrival inputs, std::span<const Way> ways) {
  const std::string path = settings.folder + "/" + graph + ".relay";
  GraphFigures figures;
  figures.graph = graph;
  {
    OPASS_ASSIGN_OR_RETURN(const auto conversion, frontends::ImportRelay(path));
    figures.sums = SumsOf(conversion);
  }
  for (const Way way : ways) {
    if (way == Way::kFileOrder) continue;
    // Not of the clock on the wall: what else the machine does is left out. One thread does it all.
    const std::clock_t start = std::clock();
    OPASS_ASSIGN_OR_RETURN(const Outcome outcome,
                           Optimize(path, OptionsOf(settings, graph, way, inputs)));
    Planned& planned = figures.planned[static_cast<std::size_t>(way)];
    planned = PlannedOf(outcome);
    planned.seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    if (way != Way::kOrder) continue;
    figures.num_ops = outcome.before_posed.problem.ops.size();
    Planned& file_order = figures.planned[static_cast<std::size_t>(Way::kFileOrder)];
    file_order.peak_bytes = outcome.before.peak_bytes;
    file_order.arena_bytes = outcome.before_plan.arena_bytes;
    file_order.bound_bytes = outcome.plan.lower_bound_bytes;
    file_order.sum_bytes = outcome.before_posed.sum_bytes;
    file_order.shared_bytes = SharedBytes(outcome.before_posed.problem, outcome.before);
    file_order.constant_bytes = outcome.before_posed.weights_bytes;
  }
  return figures;
}

}  // namespace opass::bench
