#include "opass/onnx/einsum.h"

#include <fmt/format.h>

#include <string_view>

namespace opass::onnxlib {
namespace {

bool IsTerm(std::string_view term) {
  if (const std::size_t dots = term.find("..."); dots != std::string_view::npos) {
    return IsTerm(term.substr(0, dots)) && term.find('.', dots + 3) == std::string_view::npos &&
           IsTerm(term.substr(dots + 3));
  }
  for (const char c : term) {
    if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'))) return false;
  }
  return true;
}

bool IsEquation(std::string equation) {
  std::erase(equation, ' ');
  std::string_view operands = equation;
  if (const std::size_t arrow = operands.find("->"); arrow != std::string_view::npos) {
    if (!IsTerm(operands.substr(arrow + 2))) return false;
    operands = operands.substr(0, arrow);
  }
  while (true) {
    const std::size_t comma = operands.find(',');
    if (!IsTerm(operands.substr(0, comma))) return false;
    if (comma == std::string_view::npos) return true;
    operands = operands.substr(comma + 1);
  }
}

}  // namespace

Status CheckEinsum(const ir::Graph& graph, const std::string& where) {
  for (const ir::NodeId id : graph.order) {
    const ir::Node& node = graph.node(id);
    if (node.Is("Einsum") && !IsEquation(node.StringOr("equation", ""))) {
      return WithReason(InvalidInput("the equation of the Einsum is malformed",
                                     fmt::format("{}: node '{}'", where, node.name)),
                        "invalid-model");
    }
    Status status;
    ir::ForEachSubgraph(node, [&](const ir::Graph& subgraph) {
      if (status.ok()) status = CheckEinsum(subgraph, where);
    });
    OPASS_RETURN_IF_ERROR(status);
  }
  return {};
}

}  // namespace opass::onnxlib
