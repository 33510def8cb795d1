#include <fmt/format.h>
#include <fmt/ranges.h>

#include <set>

#include "opass/frontends/onnx/bind.h"

namespace opass::frontends {
namespace {

// "x (dimensions 0 and 2 of float32[N,3,?])" as far as something is unknown.
std::string Describe(const ir::Value& input) {
  const ir::Type& type = input.type;
  if (!type.shape) return fmt::format("'{}' {} (rank unknown)", input.name, type.ToString());
  std::vector<std::string> unknown;
  for (std::size_t i = 0; i < type.shape->size(); ++i) {
    const ir::Dim& dim = (*type.shape)[i];
    if (dim.known()) continue;
    unknown.push_back(dim.symbol.empty() ? std::to_string(i)
                                         : fmt::format("{} ({})", i, dim.symbol));
  }
  return fmt::format("'{}' {} (dimension {})", input.name, type.ToString(),
                     fmt::join(unknown, ", "));
}

// The flags to use: --dim once for each symbol, --shape where a dimension has no name.
void CollectFlags(const ir::Value& input, std::set<std::string>& dims,
                  std::vector<std::string>& shapes) {
  bool nameless = !input.type.shape;
  std::vector<std::string> example;
  for (const ir::Dim& dim : input.type.shape.value_or(ir::Shape{})) {
    nameless = nameless || (!dim.known() && dim.symbol.empty());
    example.push_back(dim.known() ? std::to_string(dim.value) : "1");
  }
  if (nameless) {
    shapes.push_back(
        fmt::format("--shape '{}={}'", input.name,
                    input.type.shape ? fmt::format("{}", fmt::join(example, ",")) : "1,..."));
    return;
  }
  for (const ir::Dim& dim : *input.type.shape) {
    if (!dim.known()) dims.insert(fmt::format("--dim '{}=1'", dim.symbol));
  }
}

}  // namespace

Status RequireStaticInputs(const ir::Model& model) {
  std::vector<std::string> unknown;
  std::set<std::string> dims;
  std::vector<std::string> shapes;
  for (const ir::ValueId id : model.graph.inputs) {
    const ir::Value& input = model.graph.value(id);
    if (input.type.kind != ir::Type::Kind::kTensor || input.type.StaticDims()) continue;
    unknown.push_back(Describe(input));
    CollectFlags(input, dims, shapes);
  }
  if (unknown.empty()) return {};
  std::vector<std::string> flags(dims.begin(), dims.end());
  flags.insert(flags.end(), shapes.begin(), shapes.end());
  return WithReason(
      InvalidInput(fmt::format("dimensions of inputs are unknown: {}", fmt::join(unknown, "; ")),
                   "", fmt::format("say their sizes, for example {}", fmt::join(flags, " "))),
      "unknown-dimensions");
}

}  // namespace opass::frontends
