#pragma once

#include <map>
#include <memory>
#include <string>

#include "opass/runtime/plan_layout.h"
#include "opass/runtime/run_report.h"
#include "opass/support/result.h"

namespace opass::runtime {

struct PreparedRun;

struct ExecutorOptions {
  int threads = 1;
  // Run every node a second time with each value in memory of its own, and compare every output
  // bit by bit right after its node, and every planned input right before.
  bool lockstep = true;
};

// Runs a plan for real: each node with ONNX Runtime's kernel, each planned value at its offset of
// one arena, freed bytes poisoned, views and in-place exactly as planned. The proof that a plan is
// right, and the measure of what it leaves out (workspace, values outside of the arena).
class ArenaExecutor {
 public:
  // Makes a session per node and the arena. What `planned` refers to must outlive the executor. A
  // model that cannot be run (no kernel, random operators) makes an executor all the same, whose
  // runs say why. Errors: no library, no memory, a plan that does not fit the model.
  static Result<std::unique_ptr<ArenaExecutor>> Prepare(const PlannedModel& planned,
                                                        const ExecutorOptions& options = {});
  ~ArenaExecutor();

  // Inputs by name. A missing or wrong input is an Error, a failing kernel an outcome. May be
  // called again; a run leaves nothing behind but a larger measure of scratch.
  Result<RunReport> Run(const std::map<std::string, ir::TensorPtr>& inputs);

 private:
  explicit ArenaExecutor(std::unique_ptr<PreparedRun> prepared);
  Status MakeSessions();
  void Summarize(RunReport& report) const;

  std::unique_ptr<PreparedRun> prepared_;
};

}  // namespace opass::runtime
