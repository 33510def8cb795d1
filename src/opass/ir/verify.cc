#include <fmt/format.h>

#include <unordered_set>

#include "opass/ir/graph.h"

namespace opass::ir {
namespace {

// Deeper nesting than any real model has; keeps the recursion bounded.
constexpr int kMaxDepth = 64;

class Verifier {
 public:
  explicit Verifier(const Graph& graph) : graph_(graph), available_(graph.num_values()) {}

  Status Run(std::size_t num_outer_values, bool is_main, int depth) {
    if (depth > kMaxDepth) return Wrong("subgraphs nest too deeply", graph_.name);
    if (is_main && !graph_.captures.empty()) return Wrong("a main graph captures", graph_.name);
    OPASS_RETURN_IF_ERROR(CheckValues(num_outer_values));
    std::vector<bool> listed(graph_.num_nodes());
    for (const NodeId id : graph_.order) {
      if (id.index() >= graph_.num_nodes()) return Wrong("node id out of range", graph_.name);
      if (listed[id.index()]) return Wrong("node listed twice", graph_.node(id).name);
      listed[id.index()] = true;
      OPASS_RETURN_IF_ERROR(CheckNode(id, depth));
    }
    for (const ValueId output : graph_.outputs) {
      if (!IsAvailable(output)) return Wrong("a graph output is never produced", Name(output));
    }
    return {};
  }

 private:
  static Status Wrong(std::string message, std::string where) {
    return InternalError(fmt::format("graph verifier: {}", message), std::move(where));
  }
  std::string Name(ValueId id) const {
    return id.valid() && id.index() < graph_.num_values() ? graph_.value(id).name : "(none)";
  }
  bool IsAvailable(ValueId id) const {
    return id.valid() && id.index() < available_.size() && available_[id.index()];
  }

  Status CheckValues(std::size_t num_outer_values) {
    for (const ValueId input : graph_.inputs) {
      if (!input.valid() || input.index() >= available_.size()) {
        return Wrong("graph input out of range", graph_.name);
      }
      if (graph_.value(input).producer.valid()) return Wrong("a node writes an input", Name(input));
      available_[input.index()] = true;
    }
    for (const Capture& capture : graph_.captures) {
      if (!capture.outer.valid() || capture.outer.index() >= num_outer_values ||
          !capture.inner.valid() || capture.inner.index() >= available_.size()) {
        return Wrong("capture out of range", graph_.name);
      }
      available_[capture.inner.index()] = true;
    }
    for (std::size_t i = 0; i < graph_.num_values(); ++i) {
      const Value& value = graph_.value(ValueId(i));
      if (value.constant != nullptr && value.producer.valid()) {
        return Wrong("a constant has a producer", value.name);
      }
      if (value.constant != nullptr) available_[i] = true;
    }
    return {};
  }

  Status CheckNode(NodeId id, int depth) {
    const Node& node = graph_.node(id);
    if (node.name.empty() || !node_names_.insert(node.name).second) {
      return Wrong("node name missing or repeated", node.name);
    }
    for (const ValueId read : graph_.Reads(id)) {
      if (!IsAvailable(read)) {
        return Wrong(fmt::format("reads '{}' before it is produced", Name(read)), node.name);
      }
    }
    for (const Attribute& attribute : node.attributes) {
      if (const auto* subgraph = std::get_if<GraphAttribute>(&attribute.value)) {
        OPASS_RETURN_IF_ERROR(Verifier(**subgraph).Run(graph_.num_values(), false, depth + 1));
      }
    }
    for (const ValueId output : node.outputs) {
      if (!output.valid()) continue;
      if (output.index() >= available_.size()) return Wrong("output out of range", node.name);
      const Value& value = graph_.value(output);
      if (value.producer != id || available_[output.index()]) {
        return Wrong(fmt::format("'{}' has another producer", value.name), node.name);
      }
      if (!value_names_.insert(value.name).second) {
        return Wrong("value name repeated", value.name);
      }
      available_[output.index()] = true;
    }
    return {};
  }

  const Graph& graph_;
  std::vector<bool> available_;  // may be read by the next node
  std::unordered_set<std::string> node_names_;
  std::unordered_set<std::string> value_names_;
};

}  // namespace

Status Verify(const Graph& graph) { return Verifier(graph).Run(0, true, 0); }

}  // namespace opass::ir
