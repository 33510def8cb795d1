// opass bench onnx-testdata: the test models of the ONNX project (Debian's libonnx-testdata), each
// planned, executed in its arena on the given inputs, and compared with the expected outputs. Each
// runs in a process of its own, so that a crash is counted instead of ending the run.
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <memory>

#include "opass/bench/benchmark.h"
#include "opass/bench/text_table.h"
#include "opass/onnx/tensor_file.h"
#include "opass/opass.h"
#include "opass/ort/evaluate.h"
#include "opass/runtime/arena_executor.h"
#include "opass/runtime/compare.h"
#include "opass/support/interrupt.h"
#include "opass/support/json.h"

namespace opass::bench {
namespace {

namespace fs = std::filesystem;

// The tolerance of ONNX's own backend tests.
constexpr double kRelativeTolerance = 1e-3;
constexpr double kAbsoluteTolerance = 1e-7;
constexpr double kGoal = 0.85;

struct Settings {
  std::string folder = "/usr/share/libonnx-testdata/data";
  std::string only;
  bool verbose = false;
};

// "equal", or why not, with a sentence for the verbose listing.
struct Verdict {
  std::string kind;
  std::string detail;
};

Verdict Refused(const Error& error) {
  const bool told = error.code == ErrorCode::kInvalidInput || error.code == ErrorCode::kNotPossible;
  if (!told) return {"bug", error.ToString()};
  return {error.reason.empty() ? "invalid-model" : error.reason, error.ToString()};
}

// Older test data keeps 16-bit floats as integers: the same bits under the type that is wanted.
ir::TensorPtr WithType(ir::TensorPtr tensor, ir::DataType type) {
  if (tensor->type == type || ir::BitWidth(tensor->type) != ir::BitWidth(type)) return tensor;
  auto other = std::make_shared<ir::Tensor>(*tensor);
  other->type = type;
  return other;
}

// The graph inputs that are not initializers, by the order of the files input_0.pb, input_1.pb, ...
Result<std::map<std::string, ir::TensorPtr>> ReadInputs(const ir::Graph& graph,
                                                        const fs::path& folder) {
  std::map<std::string, ir::TensorPtr> inputs;
  for (std::size_t i = 0; i < graph.inputs.size(); ++i) {
    const ir::Value& value = graph.value(graph.inputs[i]);
    const fs::path path = folder / fmt::format("input_{}.pb", i);
    if (!fs::exists(path)) continue;
    if (value.type.kind == ir::Type::Kind::kOther) {
      return WithReason(NotPossible("an input is no tensor", value.name), "unsupported-input");
    }
    OPASS_ASSIGN_OR_RETURN(ir::TensorPtr tensor, onnxlib::ReadTensorFile(path.string()));
    inputs[value.name] = WithType(std::move(tensor), value.type.elem);
  }
  return inputs;
}

bool IsClose(const ir::Tensor& expected, const ir::Tensor& actual) {
  const auto compared = runtime::CompareTensors("", expected, actual);
  if (!compared.same_type) return false;
  return compared.bit_equal ||
         compared.max_abs_error <= kAbsoluteTolerance + kRelativeTolerance * compared.largest;
}

Verdict CompareOutputs(const Outcome& outcome, const runtime::RunReport& report,
                       const fs::path& folder) {
  const ir::Graph& graph = outcome.model.graph;
  for (std::size_t i = 0; i < graph.outputs.size(); ++i) {
    const std::string& name = graph.value(graph.outputs[i]).name;
    const auto found = report.outputs.find(name);
    if (found == report.outputs.end() || found->second == nullptr) {
      return {"unsupported-output", name + " is no tensor"};
    }
    const fs::path path = folder / fmt::format("output_{}.pb", i);
    if (!fs::exists(path)) continue;
    const auto expected = onnxlib::ReadTensorFile(path.string());
    if (!expected.ok()) return {"unsupported-output", expected.error().ToString()};
    if (!IsClose(*WithType(*expected, found->second->type), *found->second)) {
      return {"differs", "output " + name};
    }
  }
  return {"equal", ""};
}

// Whether ONNX Runtime, given the file's own model whole, has the same answer (or refuses it too):
// then it is the runtime that differs from ONNX, and not the plan.
bool RuntimeAgrees(const Outcome& outcome, const ort::NamedTensors& inputs,
                   const runtime::RunReport& report) {
  const auto whole = ort::Evaluate(outcome.original, inputs);
  if (!whole.ok()) return report.cannot_run.has_value();
  const ir::Graph& graph = outcome.original.graph;
  for (std::size_t i = 0; i < graph.outputs.size(); ++i) {
    const auto found = report.outputs.find(graph.value(graph.outputs[i]).name);
    if (found == report.outputs.end() || found->second == nullptr || (*whole)[i] == nullptr ||
        !runtime::CompareTensors("", *(*whole)[i], *found->second).bit_equal) {
      return false;
    }
  }
  return true;
}

Verdict Judge(const fs::path& folder) {
  Options options;
  options.verify = false;
  auto outcome = Optimize((folder / "model.onnx").string(), options);
  if (!outcome.ok()) return Refused(outcome.error());
  const auto executor =
      runtime::ArenaExecutor::Prepare({outcome->model, outcome->posed.problem, outcome->plan,
                                       outcome->posed.node_of_op, outcome->posed.value_of});
  if (!executor.ok()) return Refused(executor.error());
  Verdict verdict{"no-test-data", ""};
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (!entry.is_directory()) continue;
    const auto inputs = ReadInputs(outcome->model.graph, entry.path());
    if (!inputs.ok()) return Refused(inputs.error());
    const auto report = (*executor)->Run(*inputs);
    if (!report.ok()) return Refused(report.error());
    if (report->cannot_run) {
      const bool ours =
          report->cannot_run->reason == "run-failed" && !RuntimeAgrees(*outcome, *inputs, *report);
      return {ours ? "bug" : report->cannot_run->reason, report->cannot_run->ToString()};
    }
    if (report->difference) return {"bug", report->difference->ToString()};
    verdict = CompareOutputs(*outcome, *report, entry.path());
    if (verdict.kind == "differs" && RuntimeAgrees(*outcome, *inputs, *report)) {
      verdict.kind = "runtime-differs";
    }
    if (verdict.kind != "equal") return verdict;
  }
  return verdict;
}

// Judge in a child process.
Verdict JudgeApart(const fs::path& folder) {
  int channel[2];
  if (pipe(channel) != 0) return {"bug", "no pipe"};
  const pid_t child = fork();
  if (child == 0) {
    close(channel[0]);
    const Verdict verdict = Judge(folder);
    const std::string line = verdict.kind + "\n" + verdict.detail;
    [[maybe_unused]] const ssize_t written = write(channel[1], line.data(), line.size());
    _exit(0);
  }
  close(channel[1]);
  std::string line;
  char buffer[4096];
  for (ssize_t n; (n = read(channel[0], buffer, sizeof(buffer))) > 0;) {
    line.append(buffer, static_cast<std::size_t>(n));
  }
  close(channel[0]);
  int status = 0;
  waitpid(child, &status, 0);
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
    return {"crash", fmt::format("status {}", status)};
  }
  const std::size_t end = line.find('\n');
  return {line.substr(0, end), line.substr(end + 1)};
}

Result<int> Run(const Settings& settings, bool json) {
  std::error_code code;
  std::vector<fs::path> folders;
  for (const auto& entry : fs::recursive_directory_iterator(settings.folder, code)) {
    if (entry.path().filename() != "model.onnx") continue;
    if (entry.path().string().find(settings.only) == std::string::npos) continue;
    folders.push_back(entry.path().parent_path());
  }
  if (code || folders.empty()) {
    return InvalidInput("no test models", settings.folder, "install libonnx-testdata");
  }
  std::ranges::sort(folders);
  std::map<std::string, int> counts;
  std::map<std::string, std::string> examples;
  for (const fs::path& folder : folders) {
    if (InterruptedByUser()) return Error{ErrorCode::kInterrupted, "interrupted", "", "", ""};
    const Verdict verdict = JudgeApart(folder);
    ++counts[verdict.kind];
    examples.emplace(verdict.kind, folder.filename().string());
    if (settings.verbose && !json && verdict.kind != "equal") {
      fmt::print("{}: {}: {}\n", folder.filename().string(), verdict.kind, verdict.detail);
    }
  }
  TextTable table({"result", "models", "share", "for example"});
  for (const auto& [kind, count] : counts) {
    table.Add({kind, std::to_string(count),
               fmt::format("{:.1f} %", 100.0 * count / static_cast<double>(folders.size())),
               examples[kind]});
  }
  if (json) {
    fmt::print("{}\n", Json{{"models", folders.size()}, {"results", counts}}.dump(2));
  } else {
    fmt::print("{}\n{} models\n", table.ToString(), folders.size());
  }
  const bool met = counts["equal"] >= kGoal * static_cast<double>(folders.size()) &&
                   counts["crash"] + counts["bug"] + counts["differs"] == 0;
  return met ? 0 : ExitCode(ErrorCode::kRefused);
}

std::function<Result<int>()> Setup(CLI::App& app, const bool& json) {
  auto settings = std::make_shared<Settings>();
  app.add_option("folder", settings->folder, "folder of test models")->capture_default_str();
  app.add_option("--only", settings->only, "only models whose path holds this text");
  app.add_flag("--list", settings->verbose, "also list every model that is not equal");
  return [settings, &json] { return Run(*settings, json); };
}

}  // namespace

extern const Benchmark benchmark_onnx_testdata;
const Benchmark benchmark_onnx_testdata = {
    .name = "onnx-testdata",
    .summary = "ONNX's own test models, executed in their arenas against their expected outputs",
    .examples =
        "  opass bench onnx-testdata\n"
        "  opass bench onnx-testdata --only test_loop --list\n",
    .setup = Setup,
};

}  // namespace opass::bench
