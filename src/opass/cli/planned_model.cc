#include "opass/cli/planned_model.h"

#include "opass/import_model.h"
#include "opass/memory/plan_json.h"
#include "opass/support/file.h"
#include "opass/targets/target.h"

namespace opass::cli {

Result<PlannedModel> ReadPlannedModel(const ModelOptions& options, const std::string& plan_path) {
  PlannedModel planned;
  OPASS_ASSIGN_OR_RETURN(planned.model, ImportModel(options.model, options.options.bindings));
  OPASS_ASSIGN_OR_RETURN(const std::string text, ReadFile(plan_path));
  OPASS_ASSIGN_OR_RETURN(const memory::PlanHead head, memory::ParsePlanHead(text, plan_path));
  const memory::Plan& conventions = head.conventions;
  if (targets::FindTarget(conventions.target) == nullptr) {
    return InvalidInput("there is no target '" + conventions.target + "'", plan_path);
  }
  if (conventions.alignment < 1 || conventions.alignment > memory::kMaxAlignment) {
    return InvalidInput("the alignment is out of range", plan_path);
  }
  Options posing = options.options;
  posing.target = conventions.target;
  posing.alignment = conventions.alignment;
  posing.sharing = conventions.sharing;
  posing.inputs = conventions.inputs;
  posing.preserve_inputs = conventions.preserve_inputs;
  posing.exclude_io = conventions.exclude_io;
  analysis::PoseOptions pose = PoseOptionsOf(posing);
  if (targets::FindTarget(conventions.target)->plans_workspace) {
    // The measured workspace is known from the plan alone.
    pose.workspace_bytes.resize(planned.model.graph.num_nodes());
    for (const ir::NodeId id : planned.model.graph.order) {
      const auto found = head.workspace_bytes.find(planned.model.graph.node(id).name);
      if (found != head.workspace_bytes.end()) pose.workspace_bytes[id.index()] = found->second;
    }
  }
  OPASS_ASSIGN_OR_RETURN(planned.posed, analysis::PoseProblem(planned.model, pose));
  OPASS_ASSIGN_OR_RETURN(planned.plan, memory::ParsePlan(planned.posed.problem, text, plan_path));
  return planned;
}

}  // namespace opass::cli
