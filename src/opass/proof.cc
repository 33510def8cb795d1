#include "opass/proof.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "opass/ir/extract.h"
#include "opass/onnx/write.h"
#include "opass/passes/runner.h"
#include "opass/runtime/arena_executor.h"
#include "opass/runtime/verify.h"
#include "opass/support/bytes.h"

namespace opass::proof {
namespace {

runtime::PlannedModel Planned(const Outcome& outcome, const analysis::PosedProblem& posed,
                              const memory::Plan& plan) {
  return {outcome.model, posed.problem, plan, posed.node_of_op, posed.value_of};
}

// Nothing can be said, and why.
void SetUnknown(reports::Verification& verification, const std::string& reason,
                const std::string& message) {
  verification.verified = std::nullopt;
  verification.reason = reason;
  verification.message = message;
}

void FillMeasures(const runtime::RunReport& run, reports::Verification& verification) {
  if (run.runtime_scratch_bytes >= verification.scratch_bytes.value_or(0)) {
    verification.scratch_bytes = run.runtime_scratch_bytes;
    verification.scratch_node = run.runtime_scratch_node;
  }
  verification.outside_bytes = std::max(verification.outside_bytes.value_or(0), run.outside_bytes);
  verification.notes.clear();
  for (const runtime::HollowNode& hollow : run.hollow) {
    verification.notes.push_back(fmt::format("the kernel of '{}' takes {} beside its outputs of {}",
                                             hollow.node, FormatBytes(hollow.scratch_bytes),
                                             FormatBytes(hollow.output_bytes)));
  }
}

// Check 1. False: nothing more can be said (the verification tells why).
Result<bool> RunInArena(Outcome& outcome, const analysis::PosedProblem& posed,
                        const memory::Plan& plan, const Options& options) {
  reports::Verification& verification = outcome.report.verification;
  OPASS_ASSIGN_OR_RETURN(
      const auto executor,
      runtime::ArenaExecutor::Prepare(Planned(outcome, posed, plan), {.threads = options.threads}));
  runtime::InputOptions inputs = options.test_inputs;
  for (int i = 0; i < options.num_runs; ++i, ++inputs.seed) {
    auto tensors = runtime::MakeInputs(outcome.model.graph, inputs);
    if (!tensors.ok()) {
      if (tensors.error().code != ErrorCode::kNotPossible) return tensors.error();
      SetUnknown(verification, tensors.error().reason, tensors.error().ToString());
      return false;
    }
    OPASS_ASSIGN_OR_RETURN(const runtime::RunReport run, executor->Run(*tensors));
    if (run.cannot_run) {
      SetUnknown(verification, run.cannot_run->reason, run.cannot_run->ToString());
      return false;
    }
    if (run.difference) {
      return InternalError(
          "the plan computes something else in its arena: " + run.difference->ToString(),
          outcome.report.model);
    }
    FillMeasures(run, verification);
  }
  verification.arena_check = fmt::format("{} runs in an arena of {} bytes equal, bit by bit",
                                         options.num_runs, plan.arena_bytes);
  return true;
}

// Above this sum of all values only outputs are compared: two whole sets of values must fit the
// memory of the machine that verifies.
constexpr std::int64_t kMaxComparedBytes = std::int64_t{1} << 30;

// Of the passes that changed something, the least exact.
passes::Exactness ExactnessOf(const Outcome& outcome) {
  passes::Exactness least = passes::Exactness::kExact;
  for (const reports::PassLine& line : outcome.report.passes) {
    const passes::Pass* pass = passes::FindPass(line.name);
    if (line.num_changes > 0 && pass != nullptr) least = std::max(least, pass->exactness);
  }
  return least;
}

bool IsExact(const Outcome& outcome) { return ExactnessOf(outcome) == passes::Exactness::kExact; }

bool IsLossy(const Outcome& outcome) { return ExactnessOf(outcome) == passes::Exactness::kLossy; }

runtime::VerifyOptions VerifyOptionsOf(const Outcome& outcome, const Options& options) {
  runtime::VerifyOptions verify;
  verify.inputs = options.test_inputs;
  verify.num_runs = options.num_runs;
  verify.threads = 1;  // the number that both sides always agree on, bit by bit
  verify.inner_values = outcome.before_posed.sum_bytes <= kMaxComparedBytes;
  verify.exact = IsExact(outcome);
  if (IsLossy(outcome)) {
    verify.within = kHalfBound;
    verify.inner_values = false;  // what is lost inside is lost on purpose
  }
  return verify;
}

// The first pass after which the model no longer computes what the original does.
std::string PassToBlame(const Outcome& outcome, const Options& options) {
  for (const reports::PassLine& pass : outcome.report.passes) {
    ir::Model model = outcome.original;
    passes::RunnerOptions runner;
    runner.pass.fold_growth_bytes = options.fold_growth_bytes.value_or(0);
    if (!passes::RunPasses(model, {pass.name}, runner).ok()) return pass.name;
    const auto verdict =
        runtime::VerifyModels(outcome.original, model, VerifyOptionsOf(outcome, options));
    if (!verdict.ok() || verdict->verified == false) return pass.name;
  }
  return "the passes together, or the writer";
}

// The part of the original that computes the differing value, as a file for a bug report.
std::string WriteReproducer(const ir::Model& original, const std::string& value_name) {
  const auto value = original.graph.FindValue(value_name);
  ir::Model part = original;
  if (value && original.graph.value(*value).producer.valid()) {
    std::vector<bool> wanted(original.graph.num_nodes());
    wanted[original.graph.value(*value).producer.index()] = true;
    std::vector<ir::NodeId> nodes;
    for (auto id = original.graph.order.rbegin(); id != original.graph.order.rend(); ++id) {
      if (!wanted[id->index()]) continue;
      nodes.push_back(*id);
      for (const ir::ValueId read : original.graph.Reads(*id)) {
        const ir::NodeId producer = original.graph.value(read).producer;
        if (producer.valid()) wanted[producer.index()] = true;
      }
    }
    std::ranges::reverse(nodes);
    part = ir::Extract(original, nodes, std::vector<ir::ValueId>{*value});
  }
  std::error_code code;
  const std::string path = (std::filesystem::temp_directory_path(code) /
                            fmt::format("opass-reproducer-{}.onnx", getpid()))
                               .string();
  const Status written =
      onnxlib::WriteModelFile(part, path, {.external = onnxlib::ExternalPolicy::kEmbed}, nullptr);
  return written.ok() ? path : "(it could not be written: " + written.error().ToString() + ")";
}

// Where all passes are exact, the result equals the model they began with, bit by bit; passes that
// reassociate may round differently. Where that model came out of the version converter, the result
// must also agree with the input file: within rounding, because the converter's decompositions are
// not always bit-equal.
Result<runtime::Verdict> CompareModels(const Outcome& outcome, const Options& options) {
  runtime::VerifyOptions verify = VerifyOptionsOf(outcome, options);
  OPASS_ASSIGN_OR_RETURN(runtime::Verdict verdict,
                         runtime::VerifyModels(outcome.original, outcome.model, verify));
  if (!outcome.unconverted || verdict.verified != true) return verdict;
  verify.exact = false;
  OPASS_ASSIGN_OR_RETURN(runtime::Verdict rounded,
                         runtime::VerifyModels(*outcome.unconverted, outcome.model, verify));
  if (rounded.verified) return rounded;
  // A runtime without kernels for so old a version leaves the converted model.
  verdict.notes.push_back("compared with the converted model: the input cannot be run");
  return verdict;
}

// Check 2.
Status CompareWithOriginal(Outcome& outcome, const Options& options) {
  reports::Verification& verification = outcome.report.verification;
  OPASS_ASSIGN_OR_RETURN(const runtime::Verdict verdict, CompareModels(outcome, options));
  verification.notes.insert(verification.notes.end(), verdict.notes.begin(), verdict.notes.end());
  verification.max_abs_error = verdict.max_abs_error;
  verification.max_scaled_error = verdict.max_scaled_error;
  verification.worst_tensor = verdict.worst_tensor;
  if (!verdict.verified) {
    SetUnknown(verification, verdict.reason, verdict.message);
    return {};
  }
  if (!*verdict.verified && IsLossy(outcome)) {
    return WithReason(Error{ErrorCode::kRefused, verdict.message, outcome.report.model, "", ""},
                      verdict.reason);
  }
  if (!*verdict.verified) {
    return InternalError(
        fmt::format("the result differs from the original: {}; pass to blame: {}; nothing was "
                    "written; reproducer: {}",
                    verdict.message, PassToBlame(outcome, options),
                    WriteReproducer(outcome.original, verdict.worst_tensor)),
        outcome.report.model);
  }
  verification.verified = true;
  std::string how = outcome.unconverted || !IsExact(outcome) ? "within rounding of" : "equal";
  if (IsLossy(outcome)) {
    how = fmt::format("within {:.2g} of the largest magnitude of",
                      verdict.max_scaled_error.value_or(0));
  }
  verification.model_check =
      fmt::format("{} tensors {} those of the original", verdict.num_tensors, how);
  return {};
}

}  // namespace

Result<Scratch> MeasureScratch(const Outcome& outcome, const Options& options) {
  Scratch scratch;
  OPASS_ASSIGN_OR_RETURN(const auto executor, runtime::ArenaExecutor::Prepare(
                                                  Planned(outcome, outcome.posed, outcome.plan),
                                                  {.threads = options.threads, .lockstep = false}));
  const auto inputs = runtime::MakeInputs(outcome.model.graph, options.test_inputs);
  if (!inputs.ok()) {
    if (inputs.error().code != ErrorCode::kNotPossible) return inputs.error();
    scratch.reason = inputs.error().ToString();
    return scratch;
  }
  OPASS_ASSIGN_OR_RETURN(const runtime::RunReport run, executor->Run(*inputs));
  if (run.cannot_run) {
    scratch.reason = run.cannot_run->ToString();
    return scratch;
  }
  scratch.bytes.resize(outcome.model.graph.num_nodes());
  for (std::size_t i = 0; i < run.scratch_bytes.size(); ++i) {
    scratch.bytes[outcome.posed.node_of_op[i].index()] = run.scratch_bytes[i];
  }
  return scratch;
}

Status Verify(Outcome& outcome, const analysis::PosedProblem& posed, const memory::Plan& plan,
              const Options& options) {
  OPASS_ASSIGN_OR_RETURN(const bool ran, RunInArena(outcome, posed, plan, options));
  return ran ? CompareWithOriginal(outcome, options) : Status();
}

}  // namespace opass::proof
