#include "opass/ir/structural_hash.h"

#include <algorithm>
#include <bit>
#include <vector>

#include "opass/ir/hash_stream.h"

namespace opass::ir {
namespace {

// What a sequence of words is about.
enum Tag : std::uint64_t {
  kTensor,
  kType,
  kNone,
  kInput,
  kConstant,
  kCapture,
  kNode,
  kResult,
  kReader,
  kOutput,
  kBack,
  kBoth,
  kGraph,
  kModel,
};

void AddType(HashStream& stream, const Type& type) {
  stream.Add(kType);
  stream.Add(static_cast<std::uint64_t>(type.kind));
  stream.Add(static_cast<std::uint64_t>(type.elem));
  stream.Add(type.shape ? type.shape->size() + 1 : 0);
  if (type.shape) {
    for (const Dim& dim : *type.shape) {
      stream.Add(static_cast<std::uint64_t>(dim.value));
      if (!dim.known()) stream.Add(std::string_view(dim.symbol));
    }
  }
  if (type.other != nullptr) stream.Add(std::string_view(*type.other));
}

// Colours the nodes and values of one graph.
class Colouring {
 public:
  Colouring(StructuralHasher& hasher, const Graph& graph, const Colouring* outer)
      : hasher_(hasher),
        graph_(graph),
        outer_(outer),
        values_(graph.num_values()),
        nodes_(graph.num_nodes()),
        readers_(graph.num_values()) {}

  Hash128 Run() {
    ColourSources();
    for (const NodeId id : graph_.order) ColourForward(id);
    for (std::size_t i = 0; i < graph_.outputs.size(); ++i) AddOutput(i);
    for (auto id = graph_.order.rbegin(); id != graph_.order.rend(); ++id) ColourBack(*id);
    Hash128 sum;
    for (const NodeId id : graph_.order) sum += ColourBoth(id);
    return Conclude(sum);
  }

 private:
  const Hash128& Of(ValueId id) const { return values_[id.index()]; }

  void ColourSources() {
    for (std::size_t i = 0; i < graph_.num_values(); ++i) {
      const Value& value = graph_.value(ValueId(i));
      if (value.constant == nullptr) continue;
      HashStream stream(kConstant);
      stream.Add(hasher_.Hash(value.constant));
      values_[i] = stream.Result();
    }
    for (std::size_t i = 0; i < graph_.inputs.size(); ++i) {
      HashStream stream(kInput);
      stream.Add(i);
      AddType(stream, graph_.value(graph_.inputs[i]).type);
      stream.Add(Of(graph_.inputs[i]));  // the default of an overridable initializer
      values_[graph_.inputs[i].index()] = stream.Result();
    }
    for (const Capture& capture : graph_.captures) {
      HashStream stream(kCapture);
      if (outer_ != nullptr) stream.Add(outer_->Of(capture.outer));
      values_[capture.inner.index()] = stream.Result();
    }
  }

  struct AddAttributeValue {
    Colouring& colouring;
    HashStream& stream;

    void operator()(std::int64_t value) { stream.Add(static_cast<std::uint64_t>(value)); }
    void operator()(float value) { stream.Add(std::bit_cast<std::uint32_t>(value)); }
    void operator()(const std::string& value) { stream.Add(std::string_view(value)); }
    void operator()(const TensorPtr& value) {
      if (value != nullptr) stream.Add(colouring.hasher_.Hash(value));
    }
    void operator()(const GraphAttribute& value) {
      stream.Add(Colouring(colouring.hasher_, *value, &colouring).Run());
    }
    void operator()(const OpaqueAttribute& value) { stream.Add(std::string_view(value.bytes)); }
    template <typename T>
    void operator()(const std::vector<T>& values) {
      stream.Add(values.size());
      for (const T& value : values) (*this)(value);
    }
  };

  void AddAttributes(HashStream& stream, const Node& node) {
    std::vector<const Attribute*> attributes;
    for (const Attribute& attribute : node.attributes) attributes.push_back(&attribute);
    std::ranges::sort(attributes, {}, &Attribute::name);
    stream.Add(attributes.size());
    for (const Attribute* attribute : attributes) {
      stream.Add(std::string_view(attribute->name));
      stream.Add(attribute->value.index());
      std::visit(AddAttributeValue{*this, stream}, attribute->value);
    }
  }

  void ColourForward(NodeId id) {
    const Node& node = graph_.node(id);
    HashStream stream(kNode);
    stream.Add(std::string_view(node.domain));
    stream.Add(std::string_view(node.op_type));
    stream.Add(std::string_view(node.overload));
    AddAttributes(stream, node);
    stream.Add(node.inputs.size());
    for (const ValueId input : node.inputs) {
      if (input.valid()) {
        stream.Add(Of(input));
      } else {
        stream.Add(kNone);
      }
    }
    nodes_[id.index()] = stream.Result();
    for (std::size_t i = 0; i < node.outputs.size(); ++i) {
      if (!node.outputs[i].valid()) continue;
      HashStream result(kResult);
      result.Add(nodes_[id.index()]);
      result.Add(i);
      AddType(result, graph_.value(node.outputs[i]).type);
      values_[node.outputs[i].index()] = result.Result();
    }
  }

  void AddOutput(std::size_t position) {
    HashStream stream(kOutput);
    stream.Add(position);
    readers_[graph_.outputs[position].index()] += stream.Result();
  }

  void AddReader(ValueId value, NodeId reader, std::uint64_t position) {
    if (!value.valid()) return;
    HashStream stream(kReader);
    stream.Add(nodes_[reader.index()]);
    stream.Add(position);
    readers_[value.index()] += stream.Result();
  }

  // Replaces what the node computes by that and who reads it.
  void ColourBack(NodeId id) {
    const Node& node = graph_.node(id);
    HashStream stream(kBack);
    stream.Add(nodes_[id.index()]);
    for (const ValueId output : node.outputs) {
      if (output.valid()) {
        stream.Add(readers_[output.index()]);
      } else {
        stream.Add(kNone);
      }
    }
    nodes_[id.index()] = stream.Result();
    for (std::size_t i = 0; i < node.inputs.size(); ++i) AddReader(node.inputs[i], id, i);
    ForEachSubgraph(node, [&](const Graph& subgraph) {
      for (const Capture& capture : subgraph.captures) {
        AddReader(capture.outer, id, node.inputs.size());
      }
    });
  }

  Hash128 ColourBoth(NodeId id) {
    HashStream stream(kBoth);
    stream.Add(nodes_[id.index()]);
    for (const ValueId read : graph_.Reads(id)) {
      const NodeId producer = graph_.value(read).producer;
      stream.Add(producer.valid() ? nodes_[producer.index()] : Of(read));
    }
    return nodes_[id.index()] = stream.Result();
  }

  Hash128 Conclude(const Hash128& sum) const {
    HashStream stream(kGraph);
    stream.Add(sum);
    for (const auto* ids : {&graph_.inputs, &graph_.outputs}) {
      stream.Add(ids->size());
      for (const ValueId id : *ids) stream.Add(Of(id));
    }
    return stream.Result();
  }

  StructuralHasher& hasher_;
  const Graph& graph_;
  const Colouring* outer_;
  std::vector<Hash128> values_;   // what they are
  std::vector<Hash128> nodes_;    // what they compute; then also for whom; then also from whom
  std::vector<Hash128> readers_;  // of values: the sum over who reads them
};

}  // namespace

Hash128 StructuralHasher::Hash(const Model& model) {
  HashStream stream(kModel);
  for (const auto& [domain, version] : model.opsets) {
    stream.Add(std::string_view(domain));
    stream.Add(static_cast<std::uint64_t>(version));
  }
  stream.Add(Colouring(*this, model.graph, nullptr).Run());
  return stream.Result();
}

Hash128 StructuralHasher::Hash(const TensorPtr& tensor) {
  const auto found = tensors_.find(tensor.get());
  if (found != tensors_.end() && !found->second.tensor.expired()) return found->second.hash;
  HashStream stream(kTensor);
  stream.Add(static_cast<std::uint64_t>(tensor->type));
  stream.Add(tensor->dims.size());
  for (const std::int64_t dim : tensor->dims) stream.Add(static_cast<std::uint64_t>(dim));
  stream.Add(tensor->bytes);
  for (const std::string& text : tensor->strings) stream.Add(std::string_view(text));
  if (tensors_.size() >= sweep_at_) {
    std::erase_if(tensors_, [](const auto& entry) { return entry.second.tensor.expired(); });
    sweep_at_ = std::max<std::size_t>(1024, 2 * tensors_.size());
  }
  return tensors_.insert_or_assign(tensor.get(), Known{tensor, stream.Result()}).first->second.hash;
}

}  // namespace opass::ir
