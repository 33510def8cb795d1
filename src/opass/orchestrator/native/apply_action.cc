#include "opass/onnx/shape_inference.h"
#include "opass/onnx/version.h"
#include "opass/orchestrator/native/native_action.h"
#include "opass/passes/runner.h"

namespace opass::orchestrator {
namespace {

Result<bool> Raise(ir::Model& model, std::int64_t opset) {
  OPASS_ASSIGN_OR_RETURN(ir::Model raised, onnxlib::ConvertVersion(model, static_cast<int>(opset)));
  OPASS_RETURN_IF_ERROR(onnxlib::InferTypes(raised));
  OPASS_RETURN_IF_ERROR(ir::Verify(raised.graph));
  // Names of what is gone are not given again: values of one name have one meaning on a path.
  for (std::size_t i = 0; i < model.graph.num_values(); ++i) {
    raised.graph.ReserveName(model.graph.value(ir::ValueId(i)).name);
  }
  // The converter writes constants as nodes.
  OPASS_RETURN_IF_ERROR(passes::RunPasses(raised, passes::CleanUpPasses(), {}));
  model = std::move(raised);
  return true;
}

Result<bool> RunEverywhere(ir::Model& model, const passes::Pass& pass) {
  OPASS_ASSIGN_OR_RETURN(const passes::PassResult result, passes::RunPass(pass, model, {}));
  if (result.num_changes == 0) return false;
  OPASS_RETURN_IF_ERROR(ir::Verify(model.graph));
  return true;
}

Result<bool> Rewrite(ir::Model& model, const NativeAction& action) {
  if (action.rewrite.pass == nullptr) return Raise(model, action.opset);
  if (action.is_everywhere) return RunEverywhere(model, *action.rewrite.pass);
  OPASS_ASSIGN_OR_RETURN(const int num_applied, passes::Apply(model, action.rewrite));
  return num_applied > 0;
}

}  // namespace

Status CleanUp(ir::Model& model) {
  OPASS_RETURN_IF_ERROR(passes::RunPasses(model, {"eliminate_dead", "eliminate_identity"}, {}));
  return {};
}

Result<bool> ApplyAction(ir::Model& model, const NativeAction& action) {
  OPASS_ASSIGN_OR_RETURN(const bool applied, Rewrite(model, action));
  if (applied) OPASS_RETURN_IF_ERROR(CleanUp(model));
  return applied;
}

}  // namespace opass::orchestrator
