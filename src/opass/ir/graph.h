#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <variant>
#include <vector>

#include "opass/ir/tensor.h"
#include "opass/ir/type.h"
#include "opass/support/id.h"
#include "opass/support/result.h"

namespace opass::ir {

using ValueId = Id<struct ValueTag>;
using NodeId = Id<struct NodeTag>;

class Graph;

// The value of an attribute. A subgraph belongs to its attribute and is copied with it; anything
// opass has no use for (types, sparse tensors, lists of graphs) is kept as the bytes of its
// AttributeProto.
struct OpaqueAttribute {
  std::string bytes;
};
// A deep-copied subgraph.
class GraphAttribute {
 public:
  explicit GraphAttribute(Graph graph);
  GraphAttribute(const GraphAttribute& other);
  GraphAttribute(GraphAttribute&&) noexcept = default;
  GraphAttribute& operator=(const GraphAttribute& other);
  GraphAttribute& operator=(GraphAttribute&&) noexcept = default;
  ~GraphAttribute();

  Graph& operator*() { return *graph_; }
  const Graph& operator*() const { return *graph_; }

 private:
  std::unique_ptr<Graph> graph_;
};

struct Attribute {
  std::string name;
  std::variant<std::int64_t, float, std::string, TensorPtr, GraphAttribute,
               std::vector<std::int64_t>, std::vector<float>, std::vector<std::string>,
               OpaqueAttribute>
      value;
};

// Key and value strings that travel with a model, a node or a value (ONNX metadata_props).
using Metadata = std::vector<std::pair<std::string, std::string>>;

// One operator. `inputs` may hold invalid ids: optional inputs left out. Outputs that nobody asked
// for are invalid ids as well. Every node owns its output values.
struct Node {
  std::string domain;  // "" is ONNX's own ("ai.onnx" is written as "")
  std::string op_type;
  std::string overload;
  std::string name;  // unique and not empty after import
  std::vector<ValueId> inputs;
  std::vector<ValueId> outputs;
  std::vector<Attribute> attributes;
  std::string doc_string;
  Metadata metadata;

  bool Is(std::string_view type) const { return domain.empty() && op_type == type; }
  const Attribute* Find(std::string_view attribute) const;
  std::int64_t IntOr(std::string_view attribute, std::int64_t otherwise) const;
  float FloatOr(std::string_view attribute, float otherwise) const;
  std::string StringOr(std::string_view attribute, const std::string& otherwise) const;
  const std::vector<std::int64_t>* Ints(std::string_view attribute) const;  // null: absent
};

struct Value {
  std::string name;  // unique in its graph and all enclosing ones
  Type type;
  NodeId producer;     // invalid: a graph input, a constant or a captured value
  TensorPtr constant;  // an initializer
  // An initializer that is also a graph input: the caller may replace it (ONNX IR >= 4), so it is
  // never folded.
  bool overridable = false;
  std::string doc_string;
  Metadata metadata;
};

// A subgraph reads `outer` of the enclosing graph under its own id `inner`.
struct Capture {
  ValueId outer;
  ValueId inner;
};

// A graph of operators with ONNX's semantics. Ids are stable: erasing leaves a hole, so side tables
// stay valid; `order` lists the living nodes, topologically sorted.
class Graph {
 public:
  std::string name;
  std::string doc_string;
  Metadata metadata;
  std::vector<ValueId> inputs;
  std::vector<ValueId> outputs;
  std::vector<Capture> captures;  // empty for a main graph
  std::vector<NodeId> order;
  std::vector<std::string> quantization_annotations;  // serialized, kept as they are

  std::size_t num_values() const { return values_.size(); }  // ids run below this, holes included
  std::size_t num_nodes() const { return nodes_.size(); }
  Value& value(ValueId id) { return values_[id.index()]; }
  const Value& value(ValueId id) const { return values_[id.index()]; }
  Node& node(NodeId id) { return nodes_[id.index()]; }
  const Node& node(NodeId id) const { return nodes_[id.index()]; }

  // `name` must be fresh (FreshName) or known to be unique.
  ValueId AddValue(std::string name, Type type = {});
  ValueId AddConstant(std::string name, TensorPtr tensor);
  // Appends the node to the order and makes it the producer of its outputs.
  NodeId AddNode(Node node);
  // The same, before `position` in the order.
  NodeId InsertNode(NodeId position, Node node);
  // Takes the nodes out of the order; their outputs lose their producer. Ids stay.
  void EraseNodes(const std::vector<NodeId>& nodes);

  // Every reader of `from` (nodes, captures of subgraphs, graph outputs) reads `to` from now on.
  void ReplaceUses(ValueId from, ValueId to);

  // A name that no value or node of this graph, its subgraphs or its enclosing graphs has, close to
  // `wish`. Names are reserved as they are given.
  std::string FreshName(std::string_view wish);
  // Tells FreshName of a name in use elsewhere (an enclosing graph, a node).
  void ReserveName(std::string used) { names_.insert(std::move(used)); }

  bool IsInput(ValueId id) const;
  bool IsOutput(ValueId id) const;
  // What the node reads: its inputs without the left-out ones, then the values its subgraphs
  // capture. No duplicates.
  std::vector<ValueId> Reads(NodeId id) const;
  // For every value, the nodes that read it (captures included), in order.
  std::vector<std::vector<NodeId>> Readers() const;
  std::optional<ValueId> FindValue(std::string_view name) const;  // linear

 private:
  std::vector<Value> values_;
  std::vector<Node> nodes_;
  std::unordered_set<std::string> names_;
  std::unordered_map<std::string, int> next_suffix_;  // by wish: keeps FreshName linear
};

// A model: the graph and what travels around it.
struct Model {
  Graph graph;
  std::int64_t ir_version = 0;
  std::map<std::string, std::int64_t> opsets;  // by domain; "" is ONNX's own
  std::string producer_name;
  std::string producer_version;
  std::string domain;
  std::int64_t model_version = 0;
  std::string doc_string;
  Metadata metadata;
  std::string folder;  // of the file, for external data; empty when read from a stream

  std::int64_t opset() const;  // of ONNX's own domain; 0 when absent
};

// Sorts `graph.order` topologically, keeping the present order where it can (the node that stands
// first goes first). Error: a cycle, named by one of its nodes.
Status SortTopologically(Graph& graph);

// Everything this header promises: ids in range, one producer a value, unique names, topological
// order, captures of the enclosing graph. Called after import and after every pass.
Status Verify(const Graph& graph);

// Calls `visit` for every subgraph in the attributes of the node.
template <typename NodeType, typename Visit>
void ForEachSubgraph(NodeType& node, Visit visit) {
  for (auto& attribute : node.attributes) {
    if (auto* graph = std::get_if<GraphAttribute>(&attribute.value)) visit(**graph);
  }
}

}  // namespace opass::ir
