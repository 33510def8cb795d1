#pragma once

#include <functional>
#include <string>
#include <vector>

#include "opass/passes/pass.h"

namespace opass::passes {

// After so many rounds passes that undo each other are stopped.
inline constexpr int kMaxRounds = 20;

struct RunnerOptions {
  std::vector<std::string> disabled;  // names of passes to leave out
  PassOptions pass;
  int max_rounds = kMaxRounds;
  // Called after a pass that changed the graph.
  std::function<Status(const Pass&, const ir::Model&)> after_change;
};

// One line of the report: a pass over all its rounds.
struct PassReport {
  std::string name;
  int num_changes = 0;
  double seconds = 0;
  std::vector<std::string> notes;
};

// The clean-up that every import goes through.
std::vector<std::string> CleanUpPasses();

// Runs the named passes in order, again and again until a whole round changes nothing (at most
// max_rounds). The graph is verified after every change; a graph that a pass broke is an internal
// error that names the pass. Unknown names are kInvalidInput.
Result<std::vector<PassReport>> RunPasses(ir::Model& model, const std::vector<std::string>& names,
                                          const RunnerOptions& options);

}  // namespace opass::passes
