#include "opass/bench/rebench_correct.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>

#include "opass/bench/rebench_compare.h"
#include "opass/bench/rebench_expected.h"
#include "opass/bench/rebench_gradients.h"
#include "opass/bench/rebench_inputs.h"
#include "opass/bench/text_table.h"
#include "opass/frontends/relay/import.h"
#include "opass/ort/evaluate.h"
#include "opass/support/interrupt.h"

namespace opass::bench {
namespace {

using frontends::relay::Conversion;

// What is known of a graph after it was imported and executed.
struct Verdict {
  std::string graph;
  std::size_t num_nodes = 0;
  std::size_t num_variables = 0;  // tensors of variables, whose types are TVM's
  std::size_t num_close = 0;      // of them, those with the same mean and length
  std::string first_other;        // of them, the first with others
  std::size_t num_outputs = 0;
  std::size_t num_whole = 0;   // outputs of which every element was compared
  std::int64_t num_steps = 0;  // 8-bit elements that differ by one
  double max_error = 0;
  std::string fault;
};

// One tensor of a variable beside its row of the table.
struct Pairing {
  const ExpectedVariable* expected;
  ir::ValueId value;
};

std::string ShapeText(const std::vector<std::int64_t>& dims) {
  return dims.empty() ? "scalar" : fmt::format("{}", fmt::join(dims, "x"));
}

// The tensors of all variables beside the rows; a fault where name, type or shape differ.
std::vector<Pairing> PairVariables(const Conversion& conversion, const Expected& expected,
                                   std::string& fault) {
  std::vector<Pairing> pairs;
  std::size_t row = 0;
  for (const auto& variable : conversion.variables) {
    const auto tensors = Flatten(variable.item);
    for (std::size_t i = 0; i < tensors.size(); ++i) {
      if (row == expected.variables.size()) {
        fault = fmt::format("%{} is not in the table", variable.name);
        return pairs;
      }
      const ExpectedVariable& wanted = expected.variables[row++];
      const ir::Type& type = conversion.model.graph.value(tensors[i].value).type;
      const ExpectedVariable found = {
          .name = "%" + variable.name,
          .field = variable.item.is_tuple() ? std::to_string(i) : "",
          .op = "",
          .type = std::string(ir::Name(type.elem)),
          .shape = ShapeText(type.StaticDims().value_or(std::vector<std::int64_t>{-1}))};
      if (found.name != wanted.name || found.field != wanted.field || found.type != wanted.type ||
          found.shape != wanted.shape) {
        fault = fmt::format("{} {} is {} {}, not {} {} {} {}", found.name, found.field, found.type,
                            found.shape, wanted.name, wanted.field, wanted.type, wanted.shape);
        return pairs;
      }
      pairs.push_back({&wanted, tensors[i].value});
    }
  }
  if (row != expected.variables.size()) fault = expected.variables[row].name + " is missing";
  return pairs;
}

class Checker {
 public:
  Checker(const RebenchSettings& settings, std::string graph) : settings_(settings) {
    verdict_.graph = std::move(graph);
  }

  Result<Verdict> Run() {
    const std::string path = settings_.folder + "/" + verdict_.graph + ".relay";
    OPASS_ASSIGN_OR_RETURN(const Conversion conversion, frontends::ImportRelay(path));
    verdict_.num_nodes = conversion.model.graph.order.size();
    verdict_.num_outputs = conversion.model.graph.outputs.size();
    if (verdict_.graph == "resnet18_train") {
      OPASS_RETURN_IF_ERROR(CheckTraining(conversion.model));
    } else {
      OPASS_RETURN_IF_ERROR(Check(conversion));
    }
    return std::move(verdict_);
  }

 private:
  Status CheckTraining(const ir::Model& model) {
    OPASS_ASSIGN_OR_RETURN(const GradientCheck check, CheckGradients(model));
    verdict_.fault = check.fault;
    verdict_.num_close = check.num_checked;
    verdict_.max_error = check.max_error;
    return {};
  }

  Status Check(const Conversion& conversion) {
    const ir::Graph& graph = conversion.model.graph;
    OPASS_ASSIGN_OR_RETURN(const Expected expected, ReadExpected(settings_.folder, verdict_.graph));
    std::vector<Pairing> pairs;
    if (!expected.variables.empty()) pairs = PairVariables(conversion, expected, verdict_.fault);
    if (graph.outputs.size() != expected.outputs.size()) verdict_.fault = "the outputs differ";
    if (!verdict_.fault.empty()) return {};
    OPASS_ASSIGN_OR_RETURN(const auto inputs, MakeExpectedInputs(graph, expected.inputs));
    ort::EvaluateOptions options;
    std::map<ir::ValueId, std::size_t> place;  // of a value among those fetched
    const auto fetch = [&](ir::ValueId id) {
      if (place.emplace(id, options.fetch.size()).second) {
        options.fetch.push_back(graph.value(id).name);
      }
    };
    for (const ir::ValueId id : graph.outputs) fetch(id);
    for (const Pairing& pair : pairs) {
      if (graph.value(pair.value).producer.valid()) fetch(pair.value);
    }
    OPASS_ASSIGN_OR_RETURN(const auto values, ort::Evaluate(conversion.model, inputs, options));
    for (const Pairing& pair : pairs) {
      ++verdict_.num_variables;
      const auto found = place.find(pair.value);
      const ir::Value& value = graph.value(pair.value);
      CompareVariable(*pair.expected, found != place.end()        ? *values[found->second]
                                      : value.constant != nullptr ? *value.constant
                                                                  : *inputs.at(value.name));
    }
    for (std::size_t i = 0; i < expected.outputs.size(); ++i) {
      CompareOneOutput(i, expected.outputs[i], *values[place.at(graph.outputs[i])]);
    }
    return {};
  }

  // Not a fault by itself: a quotient on a tie, rounded to the other side, is seen in all that
  // follows. The first one says where to look when an output differs.
  void CompareVariable(const ExpectedVariable& expected, const ir::Tensor& actual) {
    const Moments moments = MomentsOf(actual);
    if (AreClose({expected.mean, expected.l2}, moments, actual.num_elements())) {
      ++verdict_.num_close;
    } else if (verdict_.first_other.empty()) {
      verdict_.first_other = fmt::format(
          "{} ({}): mean {:.9g} and length {:.9g}, not {:.9g} and {:.9g}", expected.name,
          expected.op, moments.mean, moments.l2, expected.mean, expected.l2);
    }
  }

  void CompareOneOutput(std::size_t i, const ExpectedOutput& expected, const ir::Tensor& actual) {
    const OutputComparison compared = CompareOutput(expected, actual);
    verdict_.num_whole += compared.is_whole ? 1 : 0;
    verdict_.num_steps += compared.num_steps;
    verdict_.max_error = std::max(verdict_.max_error, compared.max_error);
    if (compared.fault.empty() || !verdict_.fault.empty()) return;
    verdict_.fault =
        fmt::format("output {}: {}; {}", i, compared.fault,
                    verdict_.first_other.empty() ? "no variable differs" : verdict_.first_other);
  }

  const RebenchSettings& settings_;
  Verdict verdict_;
};

Json JsonOf(const Verdict& verdict) {
  Json json;
  json["graph"] = verdict.graph;
  json["equal"] = verdict.fault.empty();
  json["nodes"] = verdict.num_nodes;
  json["variables"] = verdict.num_variables;
  json["close_variables"] = verdict.num_close;
  json["first_other"] = verdict.first_other;
  json["outputs"] = verdict.num_outputs;
  json["whole_outputs"] = verdict.num_whole;
  json["steps"] = verdict.num_steps;
  json["max_error"] = verdict.max_error;
  json["fault"] = verdict.fault;
  return json;
}

}  // namespace

Result<PartReport> RebenchCorrect(const RebenchSettings& settings) {
  TextTable table({"graph", "ONNX nodes", "variables", "close", "outputs", "whole", "8-bit steps",
                   "max error", "equal"});
  PartReport report;
  report.json = Json::array();
  for (const std::string& graph : ChosenGraphs(settings)) {
    if (InterruptedByUser()) return Error{ErrorCode::kInterrupted, "interrupted", "", "", ""};
    auto checked = Checker(settings, graph).Run();
    Verdict verdict;
    if (checked.ok()) {
      verdict = *std::move(checked);
    } else {
      verdict.graph = graph;
      verdict.fault = checked.error().ToString();
    }
    report.json.push_back(JsonOf(verdict));
    table.Add({verdict.graph, std::to_string(verdict.num_nodes),
               std::to_string(verdict.num_variables), std::to_string(verdict.num_close),
               std::to_string(verdict.num_outputs), std::to_string(verdict.num_whole),
               std::to_string(verdict.num_steps), fmt::format("{:.1e}", verdict.max_error),
               verdict.fault.empty() ? "yes" : "NO"});
    if (!verdict.fault.empty()) {
      report.missed.push_back(fmt::format("{}: {}", verdict.graph, verdict.fault));
    }
  }
  report.text = table.ToString();
  return report;
}

}  // namespace opass::bench
