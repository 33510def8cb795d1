#include "opass/passes/runner.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "opass/passes/action.h"
#include "opass/support/interrupt.h"

namespace opass::passes {
namespace {

Result<const Pass*> Find(const std::string& name) {
  if (const Pass* pass = FindPass(name)) return pass;
  std::string known;
  for (const Pass* pass : Passes()) {
    known += (known.empty() ? "" : ", ") + std::string(pass->name);
  }
  return InvalidInput(fmt::format("there is no pass '{}'", name), "", "passes: " + known);
}

Result<int> RunOne(const Pass& pass, ir::Model& model, const RunnerOptions& options,
                   PassReport& report) {
  const auto start = std::chrono::steady_clock::now();
  Result<PassResult> result = RunPass(pass, model, options.pass);
  report.seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  if (!result.ok()) {
    result.error().where = fmt::format("pass {}: {}", pass.name, result.error().where);
    return std::move(result.error());
  }
  report.num_changes += result->num_changes;
  for (std::string& note : result->notes) {
    if (std::ranges::find(report.notes, note) == report.notes.end()) {
      report.notes.push_back(std::move(note));
    }
  }
  if (result->num_changes == 0) return 0;
  if (Status status = ir::Verify(model.graph); !status.ok()) {
    status.error().where = fmt::format("after pass {}: {}", pass.name, status.error().where);
    return std::move(status.error());
  }
  if (options.after_change != nullptr) OPASS_RETURN_IF_ERROR(options.after_change(pass, model));
  return result->num_changes;
}

}  // namespace

std::vector<std::string> CleanUpPasses() {
  return {"fold_constants", "inline_constant_if", "eliminate_dead", "eliminate_identity"};
}

Result<std::vector<PassReport>> RunPasses(ir::Model& model, const std::vector<std::string>& names,
                                          const RunnerOptions& options) {
  for (const std::string& name : options.disabled) OPASS_RETURN_IF_ERROR(Find(name));
  std::vector<const Pass*> passes;
  std::vector<PassReport> reports;
  for (const std::string& name : names) {
    OPASS_ASSIGN_OR_RETURN(const Pass* pass, Find(name));
    if (std::ranges::find(options.disabled, name) != options.disabled.end()) continue;
    passes.push_back(pass);
    if (std::ranges::find(reports, name, &PassReport::name) == reports.end()) {
      reports.push_back({name, 0, 0, {}});
    }
  }
  for (int round = 0; round < options.max_rounds; ++round) {
    int num_changes = 0;
    for (const Pass* pass : passes) {
      if (InterruptedByUser()) return Error{ErrorCode::kInterrupted, "interrupted", "", "", ""};
      PassReport& report = *std::ranges::find(reports, pass->name, &PassReport::name);
      OPASS_ASSIGN_OR_RETURN(const int changes, RunOne(*pass, model, options, report));
      num_changes += changes;
    }
    if (num_changes == 0) break;
  }
  return reports;
}

}  // namespace opass::passes
