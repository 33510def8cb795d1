#include "opass/orchestrator/native/changed_part.h"

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "opass/ir/extract.h"
#include "opass/ir/structural_hash.h"

namespace opass::orchestrator {
namespace {

using Names = std::set<std::string>;

// One of the two graphs, its values by name.
class Side {
 public:
  Side(const ir::Model& model, ir::StructuralHasher& hasher)
      : model_(model), graph_(model.graph), hasher_(hasher), taken_(graph_.num_nodes()) {
    for (const ir::NodeId id : graph_.order) {
      for (const ir::ValueId output : graph_.node(id).outputs) {
        if (output.valid()) producers_.emplace(graph_.value(output).name, id);
      }
    }
  }

  // Takes the nodes that the other side does not have.
  void TakeChanged(Side& other) {
    for (const ir::NodeId id : graph_.order) taken_[id.index()] = !other.HasLike(*this, id);
  }

  bool IsTaken(const std::string& value) const {
    const auto found = producers_.find(value);
    return found != producers_.end() && taken_[found->second.index()];
  }
  // Whether that was new.
  bool Take(const std::string& value) {
    const auto found = producers_.find(value);
    if (found == producers_.end() || taken_[found->second.index()]) return false;
    return taken_[found->second.index()] = true;
  }

  // The values that taken nodes read of others.
  Names Boundary() const {
    Names names;
    for (const ir::NodeId id : graph_.order) {
      if (!taken_[id.index()]) continue;
      for (const ir::ValueId read : graph_.Reads(id)) {
        const ir::Value& value = graph_.value(read);
        if (value.constant == nullptr && !IsTaken(value.name)) names.insert(value.name);
      }
    }
    return names;
  }

  // Those of the values that depend on another one of them.
  Names Dependent(const Names& values) const {
    std::vector<bool> depends(graph_.num_values());
    for (std::size_t i = 0; i < graph_.inputs.size(); ++i) {
      const ir::ValueId input = graph_.inputs[i];
      depends[input.index()] = values.contains(graph_.value(input).name);
    }
    Names found;
    for (const ir::NodeId id : graph_.order) {
      const bool after = std::ranges::any_of(
          graph_.Reads(id), [&](ir::ValueId read) { return depends[read.index()]; });
      for (const ir::ValueId output : graph_.node(id).outputs) {
        if (!output.valid()) continue;
        const bool is_one = values.contains(graph_.value(output).name);
        if (after && is_one) found.insert(graph_.value(output).name);
        depends[output.index()] = after || is_one;
      }
    }
    return found;
  }

  // What taken nodes compute, in order.
  std::vector<std::string> Results() const {
    std::vector<std::string> names;
    for (const ir::NodeId id : graph_.order) {
      if (!taken_[id.index()]) continue;
      for (const ir::ValueId output : graph_.node(id).outputs) {
        if (output.valid()) names.push_back(graph_.value(output).name);
      }
    }
    return names;
  }

  // A model of the taken nodes with these inputs, read or not, and these outputs.
  // `other` knows the types of inputs that this side no longer has.
  ir::Model Cut(const Names& inputs, const std::vector<std::string>& outputs,
                const Side& other) const {
    std::vector<ir::NodeId> nodes;
    for (const ir::NodeId id : graph_.order) {
      if (taken_[id.index()]) nodes.push_back(id);
    }
    std::vector<ir::ValueId> results;
    for (const std::string& name : outputs) {
      for (const ir::ValueId output : graph_.node(producers_.at(name)).outputs) {
        if (output.valid() && graph_.value(output).name == name) results.push_back(output);
      }
    }
    ir::Model part = ir::Extract(model_, nodes, results);
    for (const std::string& name : inputs) {
      if (part.graph.FindValue(name)) continue;
      const auto value = graph_.FindValue(name);
      ir::Type type = value ? graph_.value(*value).type : other.TypeOf(name);
      part.graph.inputs.push_back(part.graph.AddValue(name, std::move(type)));
    }
    return part;
  }

  ir::Type TypeOf(const std::string& name) const {
    const auto value = graph_.FindValue(name);
    return value ? graph_.value(*value).type : ir::Type();
  }

 private:
  bool HasLike(const Side& other, ir::NodeId id) const {
    const ir::Node& theirs = other.graph_.node(id);
    const auto first = std::ranges::find_if(theirs.outputs, &ir::ValueId::valid);
    if (first == theirs.outputs.end()) return false;
    const auto found = producers_.find(other.graph_.value(*first).name);
    if (found == producers_.end()) return false;
    const ir::Node& ours = graph_.node(found->second);
    return ours.op_type == theirs.op_type && ours.domain == theirs.domain &&
           SameValues(ours.inputs, other, theirs.inputs) &&
           SameValues(ours.outputs, other, theirs.outputs) && SameAttributes(ours, other, theirs);
  }

  bool SameValues(const std::vector<ir::ValueId>& ours, const Side& other,
                  const std::vector<ir::ValueId>& theirs) const {
    return std::ranges::equal(ours, theirs, [&](ir::ValueId a, ir::ValueId b) {
      if (!a.valid() || !b.valid()) return a.valid() == b.valid();
      const ir::Value& x = graph_.value(a);
      const ir::Value& y = other.graph_.value(b);
      if ((x.constant == nullptr) != (y.constant == nullptr)) return false;
      return x.constant != nullptr ? hasher_.Hash(x.constant) == hasher_.Hash(y.constant)
                                   : x.name == y.name;
    });
  }

  // Passes rewrite main graphs: subgraphs differ in what they capture.
  bool SameAttributes(const ir::Node& ours, const Side& other, const ir::Node& theirs) const {
    return HashOfAttributes(ours) == HashOfAttributes(theirs) &&
           Captured(ours) == other.Captured(theirs);
  }

  ir::Hash128 HashOfAttributes(const ir::Node& node) const {
    ir::Model alone;
    ir::Node copy;
    for (const ir::Attribute& attribute : node.attributes) {
      if (!std::holds_alternative<ir::GraphAttribute>(attribute.value)) {
        copy.attributes.push_back(attribute);
      }
    }
    alone.graph.AddNode(std::move(copy));
    return hasher_.Hash(alone);
  }

  std::vector<std::string> Captured(const ir::Node& node) const {
    std::vector<std::string> names;
    ir::ForEachSubgraph(node, [&](const ir::Graph& subgraph) {
      for (const ir::Capture& capture : subgraph.captures) {
        names.push_back(graph_.value(capture.outer).name);
      }
    });
    return names;
  }

  const ir::Model& model_;
  const ir::Graph& graph_;
  ir::StructuralHasher& hasher_;
  std::vector<bool> taken_;                                // by NodeId
  std::unordered_map<std::string, ir::NodeId> producers_;  // of values by name
};

}  // namespace

std::optional<ChangedPart> FindChangedPart(const ir::Model& before, const ir::Model& after) {
  ir::StructuralHasher hasher;
  Side old_side(before, hasher);
  Side new_side(after, hasher);
  old_side.TakeChanged(new_side);
  new_side.TakeChanged(old_side);
  // Inputs that depend on each other cannot be made up one by one: what computes the later one is
  // taken as well, on both sides, step by step back to the earlier one.
  Names inputs;
  while (true) {
    inputs = old_side.Boundary();
    inputs.merge(new_side.Boundary());
    Names dependent = old_side.Dependent(inputs);
    dependent.merge(new_side.Dependent(inputs));
    bool grew = false;
    for (const std::string& value : dependent) {
      grew = old_side.Take(value) || grew;
      grew = new_side.Take(value) || grew;
    }
    if (!grew) break;
  }
  std::vector<std::string> outputs;
  for (const std::string& name : old_side.Results()) {
    if (new_side.IsTaken(name)) outputs.push_back(name);
  }
  if (outputs.empty()) return std::nullopt;
  return ChangedPart{old_side.Cut(inputs, outputs, new_side),
                     new_side.Cut(inputs, outputs, old_side)};
}

}  // namespace opass::orchestrator
