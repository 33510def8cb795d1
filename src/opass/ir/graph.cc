#include "opass/ir/graph.h"

#include <fmt/format.h>

#include <algorithm>
#include <queue>

namespace opass::ir {

GraphAttribute::GraphAttribute(Graph graph) : graph_(std::make_unique<Graph>(std::move(graph))) {}
GraphAttribute::GraphAttribute(const GraphAttribute& other)
    : graph_(std::make_unique<Graph>(*other.graph_)) {}
GraphAttribute& GraphAttribute::operator=(const GraphAttribute& other) {
  graph_ = std::make_unique<Graph>(*other.graph_);
  return *this;
}
GraphAttribute::~GraphAttribute() = default;

const Attribute* Node::Find(std::string_view attribute) const {
  const auto found = std::ranges::find(attributes, attribute, &Attribute::name);
  return found == attributes.end() ? nullptr : &*found;
}

std::int64_t Node::IntOr(std::string_view attribute, std::int64_t otherwise) const {
  const Attribute* found = Find(attribute);
  const auto* value = found != nullptr ? std::get_if<std::int64_t>(&found->value) : nullptr;
  return value != nullptr ? *value : otherwise;
}

float Node::FloatOr(std::string_view attribute, float otherwise) const {
  const Attribute* found = Find(attribute);
  const auto* value = found != nullptr ? std::get_if<float>(&found->value) : nullptr;
  return value != nullptr ? *value : otherwise;
}

std::string Node::StringOr(std::string_view attribute, const std::string& otherwise) const {
  const Attribute* found = Find(attribute);
  const auto* value = found != nullptr ? std::get_if<std::string>(&found->value) : nullptr;
  return value != nullptr ? *value : otherwise;
}

const std::vector<std::int64_t>* Node::Ints(std::string_view attribute) const {
  const Attribute* found = Find(attribute);
  return found != nullptr ? std::get_if<std::vector<std::int64_t>>(&found->value) : nullptr;
}

std::int64_t Model::opset() const {
  const auto found = opsets.find("");
  return found == opsets.end() ? 0 : found->second;
}

ValueId Graph::AddValue(std::string value_name, Type type) {
  const ValueId id(values_.size());
  names_.insert(value_name);
  Value value;
  value.name = std::move(value_name);
  value.type = std::move(type);
  values_.push_back(std::move(value));
  return id;
}

ValueId Graph::AddConstant(std::string value_name, TensorPtr tensor) {
  const ValueId id = AddValue(std::move(value_name), Type::Tensor(tensor->type, tensor->dims));
  value(id).constant = std::move(tensor);
  return id;
}

NodeId Graph::AddNode(Node node) {
  const NodeId id(nodes_.size());
  for (const ValueId output : node.outputs) {
    if (output.valid()) value(output).producer = id;
  }
  names_.insert(node.name);
  nodes_.push_back(std::move(node));
  order.push_back(id);
  return id;
}

NodeId Graph::InsertNode(NodeId position, Node node) {
  const NodeId id = AddNode(std::move(node));
  order.pop_back();
  order.insert(std::ranges::find(order, position), id);
  return id;
}

void Graph::EraseNodes(const std::vector<NodeId>& nodes) {
  std::vector<bool> erased(nodes_.size());
  for (const NodeId id : nodes) {
    erased[id.index()] = true;
    for (const ValueId output : node(id).outputs) {
      if (output.valid() && value(output).producer == id) value(output).producer = NodeId();
    }
  }
  std::erase_if(order, [&](NodeId id) { return erased[id.index()]; });
}

void Graph::ReplaceUses(ValueId from, ValueId to) {
  for (const NodeId id : order) {
    std::ranges::replace(node(id).inputs, from, to);
    ForEachSubgraph(node(id), [&](Graph& subgraph) {
      for (Capture& capture : subgraph.captures) {
        if (capture.outer == from) capture.outer = to;
      }
    });
  }
  std::ranges::replace(outputs, from, to);
}

std::string Graph::FreshName(std::string_view wish) {
  std::string candidate(wish);
  if (!candidate.empty() && names_.insert(candidate).second) return candidate;
  int& suffix = next_suffix_[candidate];
  do {
    candidate = fmt::format("{}_{}", wish, ++suffix);
  } while (!names_.insert(candidate).second);
  return candidate;
}

bool Graph::IsInput(ValueId id) const { return std::ranges::find(inputs, id) != inputs.end(); }
bool Graph::IsOutput(ValueId id) const { return std::ranges::find(outputs, id) != outputs.end(); }

std::vector<ValueId> Graph::Reads(NodeId id) const {
  std::vector<ValueId> reads;
  std::unordered_set<ValueId> seen;  // a Concat may have 100,000 inputs
  const auto add = [&](ValueId value_id) {
    if (value_id.valid() && seen.insert(value_id).second) reads.push_back(value_id);
  };
  for (const ValueId input : node(id).inputs) add(input);
  ForEachSubgraph(node(id), [&](const Graph& subgraph) {
    for (const Capture& capture : subgraph.captures) add(capture.outer);
  });
  return reads;
}

std::vector<std::vector<NodeId>> Graph::Readers() const {
  std::vector<std::vector<NodeId>> readers(num_values());
  for (const NodeId id : order) {
    for (const ValueId read : Reads(id)) readers[read.index()].push_back(id);
  }
  return readers;
}

std::optional<ValueId> Graph::FindValue(std::string_view value_name) const {
  const auto found = std::ranges::find(values_, value_name, &Value::name);
  if (found == values_.end()) return std::nullopt;
  return ValueId(static_cast<std::size_t>(found - values_.begin()));
}

Status SortTopologically(Graph& graph) {
  constexpr std::size_t kNotListed = SIZE_MAX;
  std::vector<std::size_t> position(graph.num_nodes(), kNotListed);
  for (std::size_t i = 0; i < graph.order.size(); ++i) position[graph.order[i].index()] = i;

  std::vector<std::vector<std::size_t>> successors(graph.order.size());
  std::vector<std::size_t> waiting_for(graph.order.size());
  for (std::size_t i = 0; i < graph.order.size(); ++i) {
    for (const ValueId read : graph.Reads(graph.order[i])) {
      const NodeId producer = graph.value(read).producer;
      if (!producer.valid() || position[producer.index()] == kNotListed) continue;
      successors[position[producer.index()]].push_back(i);
      ++waiting_for[i];
    }
  }
  std::priority_queue<std::size_t, std::vector<std::size_t>, std::greater<>> ready;
  for (std::size_t i = 0; i < waiting_for.size(); ++i) {
    if (waiting_for[i] == 0) ready.push(i);
  }
  std::vector<NodeId> sorted;
  while (!ready.empty()) {
    const std::size_t i = ready.top();
    ready.pop();
    sorted.push_back(graph.order[i]);
    for (const std::size_t next : successors[i]) {
      if (--waiting_for[next] == 0) ready.push(next);
    }
  }
  if (sorted.size() != graph.order.size()) {
    for (std::size_t i = 0; i < waiting_for.size(); ++i) {
      if (waiting_for[i] > 0) {
        const Node& node = graph.node(graph.order[i]);
        return InvalidInput("the graph has a cycle through this node",
                            fmt::format("node '{}' ({})", node.name, node.op_type));
      }
    }
  }
  graph.order = std::move(sorted);
  return {};
}

}  // namespace opass::ir
