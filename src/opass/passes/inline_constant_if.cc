// inline_constant_if: an If whose condition is a constant becomes the nodes of the branch it takes.
//
//   y = If(true) { then: p = Relu(x) | else: p = Neg(x) }   ->   y = Relu(x)
//
// Exporters leave such branches where a condition depended on shapes alone. Both branches need not
// agree on shapes, so the values after the If become known only now. Exact. Conditions that the
// caller may replace are left alone.
#include <algorithm>
#include <optional>

#include "opass/passes/pass.h"

namespace opass::passes {
namespace {

// What a constant scalar condition says.
std::optional<bool> Condition(const ir::Graph& graph, const ir::Node& node) {
  if (!node.Is("If") || node.inputs.empty() || !node.inputs[0].valid()) return std::nullopt;
  const ir::Value& value = graph.value(node.inputs[0]);
  if (value.constant == nullptr || value.overridable) return std::nullopt;
  const auto elements = ir::AsInt64s(*value.constant);
  if (!elements || elements->size() != 1) return std::nullopt;
  return elements->front() != 0;
}

void CollectNames(const ir::Graph& graph, std::vector<std::string>& names) {
  for (std::size_t i = 0; i < graph.num_values(); ++i) {
    names.push_back(graph.value(ir::ValueId(i)).name);
  }
  for (const ir::NodeId id : graph.order) {
    names.push_back(graph.node(id).name);
    ir::ForEachSubgraph(graph.node(id),
                        [&](const ir::Graph& inner) { CollectNames(inner, names); });
  }
}

class Inliner {
 public:
  // `names`: of the whole model; learns the new ones.
  Inliner(ir::Graph& graph, ir::NodeId id, const ir::Graph& branch, std::vector<std::string>& names)
      : graph_(graph), id_(id), branch_(branch), names_(names), outer_of_(branch.num_values()) {
    for (const std::string& name : names_) graph_.ReserveName(name);
  }

  void Run() {
    for (const ir::Capture& capture : branch_.captures) {
      outer_of_[capture.inner.index()] = capture.outer;
    }
    for (const ir::NodeId inner : branch_.order) {
      ir::Node node = branch_.node(inner);
      node.name = Fresh(node.name);
      for (ir::ValueId& input : node.inputs) input = Outer(input);
      for (ir::ValueId& output : node.outputs) output = Outer(output);
      ir::ForEachSubgraph(node, [&](ir::Graph& nested) {
        for (ir::Capture& capture : nested.captures) capture.outer = Outer(capture.outer);
      });
      graph_.InsertNode(id_, std::move(node));
    }
    const std::vector<ir::ValueId> results = graph_.node(id_).outputs;
    for (std::size_t i = 0; i < results.size() && i < branch_.outputs.size(); ++i) {
      if (results[i].valid()) Connect(results[i], Outer(branch_.outputs[i]));
    }
    graph_.EraseNodes({id_});
    for (const auto& [result, node] : copies_) graph_.value(result).producer = node;
  }

 private:
  std::string Fresh(const std::string& wish) {
    names_.push_back(graph_.FreshName(wish));
    return names_.back();
  }

  // The value of the graph for a value of the branch, made at its first mention.
  ir::ValueId Outer(ir::ValueId inner) {
    if (!inner.valid()) return inner;
    ir::ValueId& outer = outer_of_[inner.index()];
    if (!outer.valid()) {
      const ir::Value& value = branch_.value(inner);
      outer = graph_.AddValue(Fresh(value.name), value.type);
      graph_.value(outer).constant = value.constant;
    }
    return outer;
  }

  // A graph output keeps its name: a copy, which eliminate_identity removes where it can.
  void Connect(ir::ValueId result, ir::ValueId value) {
    if (!graph_.IsOutput(result)) {
      graph_.ReplaceUses(result, value);
      return;
    }
    ir::Node copy;
    copy.op_type = "Identity";
    copy.name = Fresh(graph_.node(id_).name);
    copy.inputs = {value};
    copy.outputs = {result};
    graph_.value(result).type = graph_.value(value).type;
    copies_.emplace_back(result, graph_.InsertNode(id_, std::move(copy)));
  }

  ir::Graph& graph_;
  const ir::NodeId id_;
  const ir::Graph& branch_;
  std::vector<std::string>& names_;
  std::vector<ir::ValueId> outer_of_;  // by id of the branch
  std::vector<std::pair<ir::ValueId, ir::NodeId>> copies_;
};

int RunOn(ir::Graph& graph, std::vector<std::string>& names) {
  int num_changes = 0;
  const std::vector<ir::NodeId> order = graph.order;  // inlining changes it under the loop
  for (const ir::NodeId id : order) {
    ir::ForEachSubgraph(graph.node(id),
                        [&](ir::Graph& inner) { num_changes += RunOn(inner, names); });
    const auto condition = Condition(graph, graph.node(id));
    if (!condition) continue;
    const ir::Attribute* attribute =
        graph.node(id).Find(*condition ? "then_branch" : "else_branch");
    const auto* branch =
        attribute != nullptr ? std::get_if<ir::GraphAttribute>(&attribute->value) : nullptr;
    if (branch == nullptr) continue;
    const ir::GraphAttribute copy = *branch;  // nodes move in memory while new ones are added
    Inliner(graph, id, *copy, names).Run();
    ++num_changes;
  }
  return num_changes;
}

Result<PassResult> Run(ir::Model& model, const PassOptions&) {
  // A name of the branch must not come to shadow, or be shadowed by, one of another subgraph.
  std::vector<std::string> names;
  CollectNames(model.graph, names);
  return PassResult{RunOn(model.graph, names), {}};
}

}  // namespace

extern const Pass inline_constant_if;
const Pass inline_constant_if = {
    .name = "inline_constant_if",
    .summary = "replaces an If of constant condition by the branch it takes",
    .exactness = Exactness::kExact,
    .run = Run,
};

}  // namespace opass::passes
