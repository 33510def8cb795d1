#include "opass/runtime/arena_executor.h"

#include <utility>

#include "opass/runtime/arena_run.h"
#include "opass/support/interrupt.h"

namespace opass::runtime {

ArenaExecutor::ArenaExecutor(std::unique_ptr<PreparedRun> prepared)
    : prepared_(std::move(prepared)) {}
ArenaExecutor::~ArenaExecutor() = default;

Status ArenaExecutor::MakeSessions() {
  const ir::Graph& graph = prepared_->planned.model.graph;
  if (const ir::Node* random = FindRandomNode(graph)) {
    prepared_->cannot_run = {"random-operator", "the result is drawn at random", Describe(*random)};
    return {};
  }
  prepared_->sessions.resize(prepared_->layout.order().size());
  for (std::size_t step = 0; step < prepared_->sessions.size(); ++step) {
    const bool is_view = prepared_->layout.IsView(step);
    if (is_view && !prepared_->options.lockstep) continue;
    auto session = NodeSession::Make(prepared_->planned.model, prepared_->layout.order()[step],
                                     prepared_->options.threads);
    if (session.ok()) {
      prepared_->sessions[step] = *std::move(session);
      continue;
    }
    const auto cannot_run = AsCannotRun(session.error());
    if (!cannot_run) return std::move(session.error());
    // A view needs no kernel.
    if (is_view) continue;
    prepared_->cannot_run = cannot_run;
    return {};
  }
  return {};
}

Result<std::unique_ptr<ArenaExecutor>> ArenaExecutor::Prepare(const PlannedModel& planned,
                                                              const ExecutorOptions& options) {
  OPASS_ASSIGN_OR_RETURN(PlanLayout layout, PlanLayout::Make(planned));
  OPASS_ASSIGN_OR_RETURN(std::shared_ptr<ort::Environment> environment,
                         ort::Environment::Get(options.threads));
  Result<std::unique_ptr<Arena>> arena = Arena::Make(planned.plan.arena_bytes);
  const auto no_arena = arena.ok() ? std::nullopt : AsCannotRun(arena.error());
  if (!arena.ok() && !no_arena) return std::move(arena.error());
  auto prepared = std::make_unique<PreparedRun>(PreparedRun{planned,
                                                            options,
                                                            std::move(layout),
                                                            std::move(environment),
                                                            {},
                                                            {},
                                                            {},
                                                            no_arena ? nullptr : *std::move(arena),
                                                            {}});
  prepared->last_uses = LastUses(planned.model.graph, prepared->layout.order());
  prepared->scratch_bytes.resize(prepared->layout.order().size());
  std::unique_ptr<ArenaExecutor> executor(new ArenaExecutor(std::move(prepared)));
  if (no_arena) {
    executor->prepared_->cannot_run = no_arena;
    return executor;
  }
  OPASS_RETURN_IF_ERROR(executor->MakeSessions());
  return executor;
}

void ArenaExecutor::Summarize(RunReport& report) const {
  const ir::Graph& graph = prepared_->planned.model.graph;
  report.scratch_bytes.resize(prepared_->planned.problem.ops.size());
  for (std::size_t step = 0; step < prepared_->scratch_bytes.size(); ++step) {
    const std::int64_t scratch = prepared_->scratch_bytes[step];
    const ir::Node& node = graph.node(prepared_->layout.order()[step]);
    report.scratch_bytes[prepared_->planned.plan.order[step].index()] = scratch;
    if (scratch > report.runtime_scratch_bytes) {
      report.runtime_scratch_bytes = scratch;
      report.runtime_scratch_node = node.name;
    }
    std::int64_t output_bytes = 0;
    for (const ir::ValueId id : node.outputs) {
      if (id.valid()) output_bytes += PlannableBytes(graph.value(id)).value_or(0);
    }
    if (output_bytes > 0 && scratch >= output_bytes) {
      report.hollow.push_back({node.name, scratch, output_bytes});
    }
  }
}

Result<RunReport> ArenaExecutor::Run(const std::map<std::string, ir::TensorPtr>& inputs) {
  RunReport report;
  report.cannot_run = prepared_->cannot_run;
  if (prepared_->cannot_run) return report;
  ArenaRun run(*prepared_, report);
  Status status = run.Start(inputs);
  for (std::size_t step = 0; status.ok() && !run.failed() && step < prepared_->sessions.size();
       ++step) {
    status = InterruptedByUser() ? Status(Error{ErrorCode::kInterrupted, "interrupted", "", "", ""})
                                 : run.Step(step);
  }
  if (status.ok()) status = run.Finish();
  if (!status.ok()) {
    if (auto cannot_run = AsCannotRun(status.error())) {
      RunReport stopped;
      stopped.cannot_run = std::move(cannot_run);
      return stopped;
    }
    return std::move(status.error());
  }
  Summarize(report);
  return report;
}

}  // namespace opass::runtime
