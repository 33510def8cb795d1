#include "opass/onnx/unique_names.h"

#include <fmt/format.h>

namespace opass::onnxlib {
namespace {

// Names times graphs; real models stay far below.
constexpr std::size_t kMaxReservedNames = std::size_t{1} << 23;

}  // namespace

std::string UniqueNames::InventValueName(const std::string& wish) {
  int& suffix = next_value_suffix_[wish];
  std::string name;
  do {
    name = fmt::format("{}_{}", wish, ++suffix);
  } while (!value_names_.insert(name).second);
  return name;
}

std::string UniqueNames::NodeName(const std::string& given, const std::string& op_type) {
  if (!given.empty() && used_node_names_.insert(given).second) return given;
  const std::string& stem = given.empty() ? op_type : given;
  int& suffix = next_node_suffix_[stem];
  std::string name;
  do {
    name = fmt::format("{}_{}", stem, suffix++);
  } while (given_node_names_.contains(name) || !used_node_names_.insert(name).second);
  return name;
}

void UniqueNames::Collect(const ::onnx::GraphProto& graph) {
  for (const auto& input : graph.input()) value_names_.insert(input.name());
  for (const auto& tensor : graph.initializer()) value_names_.insert(tensor.name());
  for (const auto& tensor : graph.sparse_initializer()) value_names_.insert(tensor.values().name());
  for (const auto& node : graph.node()) {
    given_node_names_.insert(node.name());
    value_names_.insert(node.output().begin(), node.output().end());
    for (const auto& attribute : node.attribute()) {
      if (attribute.has_g()) Collect(attribute.g());
    }
  }
}

Status UniqueNames::Reserve(ir::Graph& graph, const std::string& where) {
  num_reserved_ += value_names_.size() + used_node_names_.size();
  if (num_reserved_ > kMaxReservedNames) {
    return WithReason(InvalidInput("the model has too many subgraphs", where), "too-large");
  }
  for (const std::string& name : value_names_) graph.ReserveName(name);
  for (const std::string& name : used_node_names_) graph.ReserveName(name);
  for (const ir::NodeId id : graph.order) {
    Status status;
    ir::ForEachSubgraph(graph.node(id), [&](ir::Graph& subgraph) {
      if (status.ok()) status = Reserve(subgraph, where);
    });
    OPASS_RETURN_IF_ERROR(status);
  }
  return {};
}

}  // namespace opass::onnxlib
