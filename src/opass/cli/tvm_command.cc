#include "opass/cli/tvm_command.h"

#include <CLI/CLI.hpp>

#include "opass/frontends/onnx/parse_bindings.h"
#include "opass/support/file.h"

namespace opass::cli {

void AddTvmModel(CLI::App& app, TvmModelOptions& options) {
  app.add_option("model", options.model, "ONNX model")->required();
  app.add_option("--shape", options.shapes, "all dimensions of an input: name=1,3,224,224")
      ->allow_extra_args(false);
  app.add_option("--dim", options.dims, "the value of a named dimension: batch=1")
      ->allow_extra_args(false);
}

Result<tvm::ModelInput> Resolve(const TvmModelOptions& options) {
  tvm::ModelInput input;
  input.path = options.model;
  for (const std::string& text : options.shapes) {
    OPASS_ASSIGN_OR_RETURN(frontends::NamedShape shape, frontends::ParseNamedShape(text));
    input.shapes.push_back({std::move(shape.name), std::move(shape.dims)});
  }
  for (const std::string& text : options.dims) {
    OPASS_ASSIGN_OR_RETURN(frontends::NamedDim dim, frontends::ParseNamedDim(text));
    input.dims.push_back({std::move(dim.symbol), dim.value});
  }
  OPASS_ASSIGN_OR_RETURN(const auto file, MappedFile::Open(options.model));
  return input;
}

}  // namespace opass::cli
