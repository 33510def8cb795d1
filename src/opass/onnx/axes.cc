#include "opass/onnx/axes.h"

#include <fmt/format.h>

namespace opass::onnxlib {
namespace {

constexpr std::int64_t kMaxRank = 1024;
constexpr std::int64_t kMaxListLength = 1'000'000;

bool HasHugeList(const ir::Graph& graph, const ir::Node& node) {
  if (!node.Is("Slice") && !node.Is("Pad") && !node.Is("CenterCropPad")) return false;
  for (std::size_t i = 1; i < node.inputs.size(); ++i) {
    if (!node.inputs[i].valid()) continue;
    const ir::Type& type = graph.value(node.inputs[i]).type;
    if (!type.shape) continue;
    for (const ir::Dim& dim : *type.shape) {
      if (dim.value > kMaxListLength) return true;
    }
  }
  return false;
}

Status CheckRanks(const ir::Graph& graph, const std::string& where) {
  for (std::size_t i = 0; i < graph.num_values(); ++i) {
    const ir::Value& value = graph.value(ir::ValueId(i));
    if (!value.type.shape || value.type.shape->size() <= kMaxRank) continue;
    return WithReason(InvalidInput(fmt::format("has {} dimensions", value.type.shape->size()),
                                   fmt::format("{}: value '{}'", where, value.name)),
                      "invalid-model");
  }
  return {};
}

}  // namespace

Status CheckAxes(const ir::Graph& graph, const std::string& where) {
  OPASS_RETURN_IF_ERROR(CheckRanks(graph, where));
  for (const ir::NodeId id : graph.order) {
    const ir::Node& node = graph.node(id);
    const std::int64_t axis = node.domain.empty() ? node.IntOr("axis", 0) : 0;
    if (axis < -kMaxRank || axis >= kMaxRank || HasHugeList(graph, node)) {
      return WithReason(InvalidInput("has an axis or a list of axes beyond any tensor's rank",
                                     fmt::format("{}: node '{}'", where, node.name)),
                        "invalid-model");
    }
    Status status;
    ir::ForEachSubgraph(node, [&](const ir::Graph& subgraph) {
      if (status.ok()) status = CheckAxes(subgraph, where);
    });
    OPASS_RETURN_IF_ERROR(status);
  }
  return {};
}

}  // namespace opass::onnxlib
