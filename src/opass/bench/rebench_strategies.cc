#include "opass/bench/rebench_strategies.h"

#include <fmt/format.h>

#include <algorithm>

#include "opass/bench/rebench_compare.h"
#include "opass/bench/rebench_expected.h"
#include "opass/bench/rebench_inputs.h"
#include "opass/opass.h"
#include "opass/orchestrator/strategies/strategy.h"
#include "opass/ort/evaluate.h"
#include "opass/support/interrupt.h"

namespace opass::bench {
namespace {

struct Verdict {
  std::string graph;
  std::string strategy;
  std::int64_t peak_bytes = 0;
  std::size_t num_actions = 0;  // of the search's result
  std::size_t num_outputs = 0;
  std::int64_t num_steps = 0;  // 8-bit elements that differ by one
  double max_error = 0;
  std::string fault;
};

// Optimizes as a user does: the plan is executed in its arena and compared with the imported graph.
Result<Outcome> OptimizeWith(const RebenchSettings& settings, const std::string& graph,
                             const std::string& strategy) {
  Options options;
  options.search.strategy = strategy;
  options.search.evaluations = IsReBench(graph) ? settings.evaluations : settings.model_evaluations;
  options.num_runs = 1;
  return Optimize(settings.folder + "/" + graph + ".relay", options);
}

Status CompareWithTvm(const RebenchSettings& settings, const ir::Model& model, Verdict& verdict) {
  OPASS_ASSIGN_OR_RETURN(const Expected expected, ReadExpected(settings.folder, verdict.graph));
  if (model.graph.outputs.size() != expected.outputs.size()) {
    verdict.fault = "the outputs differ";
    return {};
  }
  OPASS_ASSIGN_OR_RETURN(const auto inputs, MakeExpectedInputs(model.graph, expected.inputs));
  OPASS_ASSIGN_OR_RETURN(const auto values, ort::Evaluate(model, inputs));
  for (std::size_t i = 0; i < values.size(); ++i) {
    const OutputComparison compared = CompareOutput(expected.outputs[i], *values[i]);
    ++verdict.num_outputs;
    verdict.num_steps += compared.num_steps;
    verdict.max_error = std::max(verdict.max_error, compared.max_error);
    if (verdict.fault.empty() && !compared.fault.empty()) {
      verdict.fault = fmt::format("output {}: {}", i, compared.fault);
    }
  }
  return {};
}

Status Check(const RebenchSettings& settings, Verdict& verdict) {
  OPASS_ASSIGN_OR_RETURN(const Outcome outcome,
                         OptimizeWith(settings, verdict.graph, verdict.strategy));
  verdict.peak_bytes = outcome.plan.peak_bytes;
  if (outcome.report.search) verdict.num_actions = outcome.report.search->steps.size();
  const reports::Verification& verification = outcome.report.verification;
  if (verification.verified != true) {
    verdict.fault = "not verified: " + verification.message;
    return {};
  }
  if (verdict.graph == "resnet18_train") {
    verdict.num_outputs = outcome.model.graph.outputs.size();
    verdict.max_error = verification.max_abs_error.value_or(0);
    return {};
  }
  return CompareWithTvm(settings, outcome.model, verdict);
}

bool IsWanted(const std::string& graph, std::string_view strategy) {
  return IsReBench(graph) || strategy == "none" || strategy == "opass";
}

Json JsonOf(const Verdict& verdict) {
  return Json{{"graph", verdict.graph},         {"strategy", verdict.strategy},
              {"equal", verdict.fault.empty()}, {"peak_bytes", verdict.peak_bytes},
              {"actions", verdict.num_actions}, {"outputs", verdict.num_outputs},
              {"steps", verdict.num_steps},     {"max_error", verdict.max_error},
              {"fault", verdict.fault}};
}

// One row a strategy: over all graphs.
struct Total {
  std::size_t num_graphs = 0;
  std::size_t num_equal = 0;
  std::size_t num_actions = 0;
  std::size_t num_outputs = 0;
  std::int64_t num_steps = 0;
  double max_error = 0;

  void Add(const Verdict& verdict) {
    ++num_graphs;
    num_equal += verdict.fault.empty() ? 1 : 0;
    num_actions += verdict.num_actions;
    num_outputs += verdict.num_outputs;
    num_steps += verdict.num_steps;
    max_error = std::max(max_error, verdict.max_error);
  }
};

}  // namespace

Result<PartReport> RebenchStrategies(const RebenchSettings& settings) {
  PartReport report;
  report.json = Json::array();
  TextTable table(
      {"strategy", "graphs", "equal to TVM's", "actions", "outputs", "8-bit steps", "max error"});
  for (const orchestrator::Strategy& strategy : orchestrator::Strategies()) {
    Total total;
    for (const std::string& graph : ChosenGraphs(settings)) {
      if (!IsWanted(graph, strategy.name)) continue;
      if (InterruptedByUser()) return Error{ErrorCode::kInterrupted, "interrupted", "", "", ""};
      Verdict verdict;
      verdict.graph = graph;
      verdict.strategy = strategy.name;
      const Status status = Check(settings, verdict);
      if (!status.ok()) verdict.fault = status.error().ToString();
      total.Add(verdict);
      report.json.push_back(JsonOf(verdict));
      if (!verdict.fault.empty()) {
        report.missed.push_back(
            fmt::format("{}, {}: {}", verdict.graph, verdict.strategy, verdict.fault));
      }
    }
    if (total.num_graphs == 0) continue;
    table.Add({std::string(strategy.name), std::to_string(total.num_graphs),
               std::to_string(total.num_equal), std::to_string(total.num_actions),
               std::to_string(total.num_outputs), std::to_string(total.num_steps),
               fmt::format("{:.1e}", total.max_error)});
  }
  report.text = table.ToString();
  report.tables.push_back({"strategies", "Results of every strategy, executed", std::move(table)});
  return report;
}

}  // namespace opass::bench
