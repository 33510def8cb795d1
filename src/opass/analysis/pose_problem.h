#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "opass/ir/graph.h"
#include "opass/memory/plan.h"
#include "opass/memory/problem.h"
#include "opass/support/result.h"

namespace opass::analysis {

struct PoseOptions {
  std::int64_t alignment = 64;
  memory::Sharing sharing;
  bool preserve_inputs = false;  // graph inputs keep their bytes to the end
  bool exclude_io = false;       // graph inputs and outputs are the caller's own memory
  memory::InputArrival inputs = memory::InputArrival::kResident;
  // Measured scratch of each node in bytes, by NodeId; empty: kernels bring their own.
  std::vector<std::int64_t> workspace_bytes;
  // The peak of a subgraph's problem, for the workspace of If, Loop and Scan; null: not counted.
  std::function<Result<std::int64_t>(const memory::Problem&)> subgraph_peak;
};

// A graph's memory problem and the way back to the graph.
struct PosedProblem {
  memory::Problem problem;
  std::vector<ir::NodeId> node_of_op;             // by memory::OpId
  std::vector<ir::ValueId> value_of;              // by memory::ValueId
  std::vector<memory::ValueId> problem_value_of;  // by ir::ValueId; invalid for constants
  std::int64_t weights_bytes = 0;                 // constants, those of subgraphs included
  std::int64_t sum_bytes = 0;  // all non-constant tensors of known size, unrounded
  // Strings, sequences, optionals and tensors whose size depends on data: not in the arena.
  std::vector<std::string> unplanned_values;
};

// Poses the memory problem of the main graph. Every operator of the graph is an op (views too), in
// the graph's order; constants are not values of the problem.
Result<PosedProblem> PoseProblem(const ir::Model& model, const PoseOptions& options);

}  // namespace opass::analysis
