#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "opass/planner/planner.h"
#include "opass/support/result.h"
#include "opass/tvm/difference.h"
#include "opass/tvm/search_passes.h"
#include "opass/tvm/session.h"

namespace opass::tvm {

// A model file and what is said about its inputs.
struct ModelInput {
  std::string path;
  std::vector<InputShape> shapes;
  std::vector<NamedDimension> dims;
};

struct CompareOptions {
  // Searches over TVM's passes, by strategy; what else they have in common.
  std::vector<std::string> strategies;
  SearchRequest search;
  planner::PlanOptions plan;
  RunOptions run;
  // What begins; may be empty.
  std::function<void(const std::string&)> on_stage;
};

// One way to compile the model, compiled and run.
struct ComparedRow {
  std::string name;
  // Graph inputs, outputs and constants not counted.
  std::int64_t planned_bytes = 0;
  std::int64_t num_storages = 0;     // allocations that the plan makes
  std::int64_t live_peak_bytes = 0;  // of the order that is run
  std::int64_t workspace_bytes = 0;  // hidden in the largest kernel
  std::int64_t high_water_bytes = 0;
  double seconds = 0;
  Difference difference;            // of the outputs to TVM's default
  std::vector<std::string> passes;  // of a search, in their order
};

struct Comparison {
  std::string tvm_version;
  std::int64_t num_bindings = 0;  // of the imported module
  // "TVM default", "TVM fused", then every strategy's passes; each followed by the same with
  // OPassMem.
  std::vector<ComparedRow> rows;
  std::vector<std::string> notes;  // passes that failed, modules that were rejected
};

// Compiles the model with TVM's two pipelines, and each again with our order and arena instead of
// TVM's, then the modules that searches over TVM's passes found. Runs all on the same inputs.
// Errors: what TVM cannot do; kRefused: outputs that differ where only memory changed, or a kernel
// that writes elsewhere than planned.
Result<Comparison> CompareModel(Session& session, const ModelInput& model,
                                const CompareOptions& options);

}  // namespace opass::tvm
