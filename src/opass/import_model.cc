#include "opass/import_model.h"

#include "opass/frontends/onnx/import.h"
#include "opass/frontends/relay/import.h"

namespace opass {

Result<ir::Model> ImportModel(const std::string& path, const frontends::ShapeBindings& bindings) {
  if (!frontends::IsRelayFile(path)) return frontends::ImportOnnx(path, bindings);
  if (!bindings.shapes.empty() || !bindings.dims.empty()) {
    return WithReason(
        InvalidInput("a Relay text has no open dimensions", path, "leave out --shape and --dim"),
        "bad-binding");
  }
  OPASS_ASSIGN_OR_RETURN(frontends::relay::Conversion conversion, frontends::ImportRelay(path));
  return std::move(conversion.model);
}

}  // namespace opass
