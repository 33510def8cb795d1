#include "opass/ir/extract.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

namespace opass::ir {
namespace {

constexpr std::int64_t kFirstIrVersionWithFreeInitializers = 4;

class Extractor {
 public:
  Extractor(const Graph& from, Graph& to) : from_(from), to_(to) {}

  void Add(NodeId id) {
    for (const ValueId read : from_.Reads(id)) Bring(read);
    Node copy = from_.node(id);
    for (ValueId& input : copy.inputs) input = Map(input);
    ForEachSubgraph(copy, [&](Graph& subgraph) {
      for (Capture& capture : subgraph.captures) capture.outer = Map(capture.outer);
    });
    for (ValueId& output : copy.outputs) {
      if (output.valid()) output = Declare(output);
    }
    to_.AddNode(std::move(copy));
  }

  // An output that no node computes is passed through.
  void AddOutput(ValueId id) {
    Bring(id);
    to_.outputs.push_back(Map(id));
  }

 private:
  ValueId Map(ValueId id) const { return id.valid() ? ids_.at(id) : id; }

  ValueId Declare(ValueId id) {
    const Value& value = from_.value(id);
    return ids_[id] = to_.AddValue(value.name, value.type);
  }

  void Bring(ValueId id) {
    if (ids_.contains(id)) return;
    const ValueId copy = Declare(id);
    if (const TensorPtr& constant = from_.value(id).constant) {
      to_.value(copy).constant = constant;
    } else {
      to_.inputs.push_back(copy);
    }
  }

  const Graph& from_;
  Graph& to_;
  std::unordered_map<ValueId, ValueId> ids_;
};

}  // namespace

Model Extract(const Model& model, std::span<const NodeId> nodes, std::span<const ValueId> outputs) {
  Model out;
  out.ir_version = std::max(model.ir_version, kFirstIrVersionWithFreeInitializers);
  out.opsets = model.opsets;
  out.folder = model.folder;
  out.graph.name = model.graph.name;
  Extractor extractor(model.graph, out.graph);
  for (const NodeId id : nodes) extractor.Add(id);
  for (const ValueId id : outputs) extractor.AddOutput(id);
  return out;
}

}  // namespace opass::ir
