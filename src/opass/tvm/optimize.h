#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "opass/tvm/compare.h"

namespace opass::tvm {

struct OptimizeOptions {
  std::string output;    // the shared library to write
  std::string strategy;  // a search over TVM's passes; empty: none
  SearchRequest search;
  planner::PlanOptions plan;
  RunOptions run;
  std::function<void(const std::string&)> on_stage;
};

struct Optimized {
  ComparedRow before;  // TVM's default
  ComparedRow after;
  std::vector<std::string> inputs;  // by position, "float32 1x3x32x32"
  std::vector<std::string> notes;
};

// Compiles the model with the passes of the search and our plan, checks it against TVM's default by
// running both, and writes a library that TVM's runtime loads. Errors: as CompareModel.
Result<Optimized> OptimizeModel(Session& session, const ModelInput& model,
                                const OptimizeOptions& options);

}  // namespace opass::tvm
