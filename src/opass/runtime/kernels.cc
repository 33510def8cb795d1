#include "opass/runtime/kernels.h"

#include <algorithm>

#include "opass/onnx/schema.h"
#include "opass/onnx/version.h"
#include "opass/ort/evaluate.h"

namespace opass::runtime {
namespace {

constexpr std::int64_t kLowestSupported = 7;
// A constant above this size becomes an input: kernels are chosen by type, and small ones (shapes,
// axes) are read while the session is made.
constexpr std::size_t kLargeBytes = 1024;

ir::Model WithoutWeights(const ir::Model& model) {
  ir::Model light = model;
  for (std::size_t i = 0; i < light.graph.num_values(); ++i) {
    const ir::ValueId id(i);
    ir::Value& value = light.graph.value(id);
    if (value.constant == nullptr || value.constant->bytes.size() <= kLargeBytes) continue;
    value.constant = nullptr;
    if (!value.overridable) light.graph.inputs.push_back(id);
    value.overridable = false;
  }
  light.ir_version = std::max<std::int64_t>(light.ir_version, 4);
  return light;
}

}  // namespace

Result<bool> HasKernels(const ir::Model& model) {
  const auto session = ort::Load(WithoutWeights(model), 1, {});
  if (session.ok()) return true;
  if (session.error().code != ErrorCode::kNotPossible) return session.error();
  // Another complaint is not for a later version to cure.
  return session.error().reason != "missing-kernel";
}

Result<ir::Model> RaiseToKernels(ir::Model model) {
  const std::int64_t opset = model.opset();
  if (opset == 0) return model;
  if (opset >= kLowestSupported) {
    OPASS_ASSIGN_OR_RETURN(const bool has_kernels, HasKernels(model));
    if (has_kernels) return model;
  }
  for (std::int64_t to = std::max(opset + 1, kLowestSupported); to <= onnxlib::LatestOpset();
       ++to) {
    auto raised = onnxlib::ConvertVersion(model, static_cast<int>(to));
    if (!raised.ok()) continue;
    const auto has_kernels = HasKernels(*raised);
    if (has_kernels.ok() && *has_kernels) return *std::move(raised);
  }
  return model;
}

}  // namespace opass::runtime
