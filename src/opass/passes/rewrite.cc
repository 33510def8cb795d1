#include "opass/passes/rewrite.h"

#include <algorithm>

namespace opass::passes {

ir::ValueId InsertNode(ir::Graph& graph, ir::NodeId position, Operation operation, ir::Type type,
                       std::string_view wish) {
  ir::Node node;
  node.name = graph.FreshName(operation.op_type);
  node.op_type = std::move(operation.op_type);
  node.inputs = std::move(operation.inputs);
  node.attributes = std::move(operation.attributes);
  const ir::ValueId output = graph.AddValue(graph.FreshName(wish), std::move(type));
  node.outputs = {output};
  graph.InsertNode(position, std::move(node));
  return output;
}

void SetOperation(ir::Graph& graph, ir::NodeId id, Operation operation) {
  ir::Node& node = graph.node(id);
  node.op_type = std::move(operation.op_type);
  node.inputs = std::move(operation.inputs);
  node.attributes = std::move(operation.attributes);
}

void SetAttribute(ir::Node& node, std::string_view name, decltype(ir::Attribute::value) value) {
  const auto found = std::ranges::find(node.attributes, name, &ir::Attribute::name);
  if (found != node.attributes.end()) {
    found->value = std::move(value);
  } else {
    node.attributes.push_back({std::string(name), std::move(value)});
  }
}

void RemoveAttribute(ir::Node& node, std::string_view name) {
  std::erase_if(node.attributes, [&](const ir::Attribute& a) { return a.name == name; });
}

void ReplaceReads(ir::Node& node, ir::ValueId from, ir::ValueId to) {
  std::ranges::replace(node.inputs, from, to);
  ir::ForEachSubgraph(node, [&](ir::Graph& subgraph) {
    for (ir::Capture& capture : subgraph.captures) {
      if (capture.outer == from) capture.outer = to;
    }
  });
}

std::vector<ir::NodeId> Producers(const ir::Graph& graph, ir::NodeId id) {
  std::vector<ir::NodeId> producers;
  for (const ir::ValueId input : graph.Reads(id)) {
    if (graph.value(input).producer.valid()) producers.push_back(graph.value(input).producer);
  }
  return producers;
}

const ir::Node* ProducerOf(const ir::Graph& graph, ir::ValueId id) {
  if (!id.valid() || !graph.value(id).producer.valid()) return nullptr;
  return &graph.node(graph.value(id).producer);
}

ir::ValueId Input(const ir::Node& node, std::size_t position) {
  return position < node.inputs.size() ? node.inputs[position] : ir::ValueId();
}

bool HasOneResult(const ir::Node& node) {
  return node.domain.empty() && !node.inputs.empty() && node.inputs[0].valid() &&
         node.outputs.size() == 1 && node.outputs[0].valid();
}

void EraseUnread(ir::Graph& graph, std::vector<ir::NodeId> nodes) {
  const Uses uses(graph);
  std::vector<std::size_t> num_readers(graph.num_values());
  for (std::size_t i = 0; i < num_readers.size(); ++i) {
    num_readers[i] = uses.Readers(ir::ValueId(i)).size();
  }
  std::vector<bool> is_erased(graph.num_nodes());
  std::vector<ir::NodeId> erased;
  while (!nodes.empty()) {
    const ir::NodeId id = nodes.back();
    nodes.pop_back();
    if (!uses.IsLive(id) || is_erased[id.index()]) continue;
    const bool is_read = std::ranges::any_of(graph.node(id).outputs, [&](ir::ValueId output) {
      return output.valid() && (num_readers[output.index()] > 0 || uses.IsOutput(output));
    });
    if (is_read) continue;
    is_erased[id.index()] = true;
    erased.push_back(id);
    for (const ir::ValueId read : graph.Reads(id)) {
      const ir::NodeId producer = graph.value(read).producer;
      if (--num_readers[read.index()] == 0 && producer.valid()) nodes.push_back(producer);
    }
  }
  graph.EraseNodes(erased);
  for (std::size_t i = 0; i < num_readers.size(); ++i) {
    const ir::ValueId id(i);
    const bool is_read = num_readers[i] > 0 || uses.IsOutput(id);
    if (!is_read && IsFixed(graph, id)) graph.value(id).constant = nullptr;
  }
}

std::optional<std::vector<std::int64_t>> DimsOf(const ir::Graph& graph, ir::ValueId id) {
  if (!id.valid()) return std::nullopt;
  const ir::Type& type = graph.value(id).type;
  return type.kind == ir::Type::Kind::kTensor ? type.StaticDims() : std::nullopt;
}

bool IsFloat32(const ir::Graph& graph, ir::ValueId id) {
  if (!id.valid()) return false;
  const ir::Type& type = graph.value(id).type;
  return type.kind == ir::Type::Kind::kTensor && type.elem == ir::DataType::kFloat;
}

bool SameType(const ir::Graph& graph, ir::ValueId a, ir::ValueId b) {
  const auto dims = DimsOf(graph, a);
  return dims && dims == DimsOf(graph, b) && graph.value(a).type.elem == graph.value(b).type.elem;
}

}  // namespace opass::passes
