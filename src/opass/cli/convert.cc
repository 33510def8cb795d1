// opass convert: a model of any kind that opass reads, as an ONNX model and nothing else.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "opass/cli/command.h"
#include "opass/cli/model_options.h"
#include "opass/import_model.h"
#include "opass/onnx/write.h"
#include "opass/support/file.h"
#include "opass/support/json.h"

namespace opass::cli {
namespace {

struct ConvertCommand {
  ModelOptions model;
  std::string output;
  bool force = false;
};

Result<int> Run(const ConvertCommand& command, const Globals& globals) {
  const std::string& input = command.model.model;
  if (command.output == "-") {
    return InvalidInput("only the input can be a standard stream", "-", "name a file: ./- if so");
  }
  if (!command.force && IsSameFile(input, command.output)) {
    return InvalidInput("the output would replace the input", command.output, "--force does so");
  }
  OPASS_ASSIGN_OR_RETURN(const ir::Model model, ImportModel(input, command.model.options.bindings));
  std::vector<std::string> warnings;
  OPASS_RETURN_IF_ERROR(onnxlib::WriteModelFile(model, command.output, {}, &warnings));
  const ir::Graph& graph = model.graph;
  if (globals.json) {
    Json json;
    json["model"] = input;
    json["output"] = command.output;
    json["opset"] = model.opset();
    json["nodes"] = graph.order.size();
    json["inputs"] = graph.inputs.size();
    json["outputs"] = graph.outputs.size();
    json["warnings"] = warnings;
    fmt::print("{}\n", json.dump(2, ' ', false, Json::error_handler_t::replace));
  } else if (!globals.quiet) {
    for (const std::string& warning : warnings) {
      fmt::print(stderr, "opass: warning: {}\n", warning);
    }
    fmt::print("{}: opset {}, {} nodes, {} inputs, {} outputs\n", command.output, model.opset(),
               graph.order.size(), graph.inputs.size(), graph.outputs.size());
  }
  return 0;
}

std::function<Result<int>()> Setup(CLI::App& app, const Globals& globals) {
  auto command = std::make_shared<ConvertCommand>();
  AddModel(app, command->model);
  app.add_option("-o,--output", command->output, "the ONNX model to write")->required();
  app.add_flag("--force", command->force, "allow to write over the input");
  return [command, &globals] { return Run(*command, globals); };
}

}  // namespace

extern const Command command_convert;
const Command command_convert = {
    .name = "convert",
    .summary = "Write a Relay text, or another model, as an ONNX model",
    .examples =
        "  opass convert model.relay -o model.onnx\n"
        "  opass convert model.onnx -o fixed.onnx --dim batch=1\n",
    .setup = Setup,
};

}  // namespace opass::cli
