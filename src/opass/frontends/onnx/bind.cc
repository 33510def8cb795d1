#include "opass/frontends/onnx/bind.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>

#include "opass/frontends/onnx/parse_bindings.h"
#include "opass/onnx/schema.h"

namespace opass::frontends {
namespace {

using Symbols = std::map<std::string, std::int64_t>;

Error Bad(std::string message, std::string where, std::string hint = "") {
  return WithReason(InvalidInput(std::move(message), std::move(where), std::move(hint)),
                    "bad-binding");
}

Status BindSymbol(const std::string& symbol, std::int64_t value, const std::string& where,
                  Symbols& symbols) {
  const auto [found, fresh] = symbols.emplace(symbol, value);
  if (fresh || found->second == value) return {};
  return Bad(fmt::format("the dimension '{}' would be {} and {}", symbol, found->second, value),
             where);
}

Result<ir::ValueId> FindInput(const ir::Graph& graph, const NamedShape& shape) {
  std::vector<std::string> names;
  for (const ir::ValueId id : graph.inputs) {
    if (graph.value(id).overridable) continue;
    if (graph.value(id).name == shape.name) return id;
    names.push_back(graph.value(id).name);
  }
  return Bad(fmt::format("the model has no input '{}'", shape.name), "--shape",
             fmt::format("its inputs: {}", fmt::join(names, ", ")));
}

// Gives one input its dimensions and notes which symbols they bind.
Status BindInput(const NamedShape& shape, ir::Value& input, Symbols& symbols, bool& changed) {
  const std::string where = fmt::format("--shape {}", shape.name);
  ir::Type& type = input.type;
  if (type.kind != ir::Type::Kind::kTensor) return Bad("the input is no tensor", where);
  if (!type.shape) {
    type.shape.emplace(shape.dims.size());
  }
  if (type.shape->size() != shape.dims.size()) {
    return Bad(fmt::format("{} dimensions given where the input has {}: {}", shape.dims.size(),
                           type.shape->size(), type.ToString()),
               where);
  }
  for (std::size_t i = 0; i < shape.dims.size(); ++i) {
    ir::Dim& dim = (*type.shape)[i];
    if (dim.known() && dim.value != shape.dims[i]) {
      return Bad(fmt::format("dimension {} is {} in the model, not {}: {}", i, dim.value,
                             shape.dims[i], type.ToString()),
                 where);
    }
    if (dim.known()) continue;
    if (!dim.symbol.empty()) {
      OPASS_RETURN_IF_ERROR(BindSymbol(dim.symbol, shape.dims[i], where, symbols));
    }
    dim = {shape.dims[i], ""};
    changed = true;
  }
  return {};
}

std::set<std::string> InputSymbols(const ir::Graph& graph) {
  std::set<std::string> symbols;
  for (const ir::ValueId id : graph.inputs) {
    if (!graph.value(id).type.shape) continue;
    for (const ir::Dim& dim : *graph.value(id).type.shape) {
      if (!dim.known() && !dim.symbol.empty()) symbols.insert(dim.symbol);
    }
  }
  return symbols;
}

void ReplaceSymbols(const Symbols& symbols, ir::Type& type) {
  if (!type.shape) return;
  for (ir::Dim& dim : *type.shape) {
    const auto found = symbols.find(dim.symbol);
    if (!dim.known() && found != symbols.end()) dim = {found->second, ""};
  }
}

// Keeps the rank and the symbols that are still free.
void ForgetSizes(ir::Type& type) {
  if (!type.shape) return;
  for (ir::Dim& dim : *type.shape) {
    if (dim.known()) dim = {};
  }
}

void ReplaceEverywhere(const Symbols& symbols, const std::map<std::string, std::int64_t>& opsets,
                       ir::Graph& graph) {
  for (std::size_t i = 0; i < graph.num_values(); ++i) {
    ReplaceSymbols(symbols, graph.value(ir::ValueId(i)).type);
  }
  for (const ir::NodeId id : graph.order) {
    ir::Node& node = graph.node(id);
    const auto opset = opsets.find(node.domain);
    const bool inferable =
        opset != opsets.end() && onnxlib::CanInferTypes(node.domain, node.op_type, opset->second);
    for (const ir::ValueId output : node.outputs) {
      if (inferable && output.valid()) ForgetSizes(graph.value(output).type);
    }
    ir::ForEachSubgraph(node,
                        [&](ir::Graph& subgraph) { ReplaceEverywhere(symbols, opsets, subgraph); });
  }
}

}  // namespace

Status Bind(ir::Model& model, const ShapeBindings& bindings) {
  ir::Graph& graph = model.graph;
  const std::set<std::string> known = InputSymbols(graph);
  Symbols symbols;
  for (const std::string& text : bindings.dims) {
    OPASS_ASSIGN_OR_RETURN(const NamedDim dim, ParseNamedDim(text));
    if (!known.contains(dim.symbol)) {
      return Bad(fmt::format("no input of the model has a dimension '{}'", dim.symbol), "--dim",
                 known.empty() ? "none of its dimensions has a name; use --shape"
                               : fmt::format("its dimensions: {}", fmt::join(known, ", ")));
    }
    OPASS_RETURN_IF_ERROR(BindSymbol(dim.symbol, dim.value, "--dim", symbols));
  }
  std::set<std::string> bound;
  bool changed = !symbols.empty();
  for (const std::string& text : bindings.shapes) {
    OPASS_ASSIGN_OR_RETURN(const NamedShape shape, ParseNamedShape(text));
    OPASS_ASSIGN_OR_RETURN(const ir::ValueId id, FindInput(graph, shape));
    if (!bound.insert(shape.name).second) return Bad("given twice", "--shape " + shape.name);
    OPASS_RETURN_IF_ERROR(BindInput(shape, graph.value(id), symbols, changed));
  }
  if (changed) ReplaceEverywhere(symbols, model.opsets, graph);
  return {};
}

}  // namespace opass::frontends
