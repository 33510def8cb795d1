#pragma once

#include <string>

#include "opass/analysis/pose_problem.h"
#include "opass/cli/model_options.h"
#include "opass/ir/graph.h"
#include "opass/memory/plan.h"

namespace opass::cli {

// A model and a plan that somebody wrote for it. The plan was read, not judged.
struct PlannedModel {
  ir::Model model;
  analysis::PosedProblem posed;  // with the conventions that the plan states
  memory::Plan plan;
};

Result<PlannedModel> ReadPlannedModel(const ModelOptions& options, const std::string& plan_path);

}  // namespace opass::cli
