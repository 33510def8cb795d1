#include "opass/frontends/onnx/import.h"

#include <fmt/format.h>

#include "opass/onnx/read.h"
#include "opass/onnx/shape_inference.h"

namespace opass::frontends {
namespace {

Status Prepare(ir::Model& model, const ShapeBindings& bindings) {
  OPASS_RETURN_IF_ERROR(Bind(model, bindings));
  OPASS_RETURN_IF_ERROR(RequireStaticInputs(model));
  OPASS_RETURN_IF_ERROR(onnxlib::InferTypes(model));
  return ir::Verify(model.graph);
}

}  // namespace

Result<ir::Model> ImportOnnx(const std::string& path, const ShapeBindings& bindings) {
  OPASS_ASSIGN_OR_RETURN(ir::Model model, onnxlib::ReadModelFile(path));
  Status status = Prepare(model, bindings);
  if (status.ok()) return model;
  std::string& where = status.error().where;
  const std::string file = path == "-" ? "standard input" : path;
  where = where.empty() ? file : fmt::format("{}: {}", file, where);
  return std::move(status.error());
}

}  // namespace opass::frontends
