// cut_shape_only_uses: what is read for its shape or its type alone is not read at all, so that it
// may end earlier.
//
//   y = CastLike(a, x)       ->   y = Cast<type of x>(a)
//   y = Size(x), Shape(x)    ->   y = a constant
//   y = EyeLike(x)           ->   y = EyeLike(zeros of that shape), which is folded or is made late
//
// Legal: the shape is static, the type known. Exact.
#include <algorithm>

#include "opass/passes/rewrite.h"

namespace opass::passes {
namespace {

struct Match {
  std::vector<ir::NodeId> nodes;
  std::string what;
};

std::optional<Match> MatchNode(const ir::Model& model, const Uses& uses, ir::NodeId id, int) {
  const ir::Graph& graph = model.graph;
  const ir::Node& node = graph.node(id);
  const ir::ValueId read = node.Is("CastLike") ? Input(node, 1) : node.inputs[0];
  if (!read.valid() || graph.value(read).type.kind != ir::Type::Kind::kTensor ||
      graph.value(read).constant != nullptr) {
    return std::nullopt;
  }
  const Match match{{id}, node.op_type};
  if (node.Is("CastLike")) {
    const bool is_known = graph.value(read).type.elem != ir::DataType::kUndefined;
    return is_known && node.Find("saturate") == nullptr ? std::optional(match) : std::nullopt;
  }
  if (!DimsOf(graph, read)) return std::nullopt;
  if (node.Is("Size")) {
    const bool has_size = graph.value(read).type.NumElements().has_value();
    return has_size && !uses.IsOutput(node.outputs[0]) ? std::optional(match) : std::nullopt;
  }
  if (node.Is("Shape")) {
    const bool is_whole = node.Find("start") == nullptr && node.Find("end") == nullptr;
    return is_whole && !uses.IsOutput(node.outputs[0]) ? std::optional(match) : std::nullopt;
  }
  // The zeros themselves end the rewriting; EyeLike without a type takes that of its input.
  const ir::Node* producer = ProducerOf(graph, read);
  const bool is_cut = producer != nullptr && producer->Is("ConstantOfShape");
  const bool is_float = IsFloat32(graph, read) || node.Find("dtype") != nullptr;
  return node.Is("EyeLike") && is_float && !is_cut ? std::optional(match) : std::nullopt;
}

void Rewrite(ir::Graph& graph, const Match& match) {
  const ir::NodeId id = match.nodes.front();
  const ir::Node node = graph.node(id);
  const std::vector<ir::NodeId> before = Producers(graph, id);
  if (node.Is("CastLike")) {
    const auto to = static_cast<std::int64_t>(graph.value(node.inputs[1]).type.elem);
    SetOperation(graph, id, {"Cast", {node.inputs[0]}, {{"to", to}}});
  } else if (node.Is("EyeLike")) {
    const auto dims = *DimsOf(graph, node.inputs[0]);
    const ir::ValueId shape =
        graph.AddConstant(graph.FreshName(graph.value(node.inputs[0]).name + "_shape"),
                          ir::Tensor::FromInt64s({static_cast<std::int64_t>(dims.size())}, dims));
    const ir::Type type = ir::Type::Tensor(ir::DataType::kFloat, dims);
    const std::string wish = graph.value(node.outputs[0]).name + "_zeros";
    const ir::ValueId zeros = InsertNode(graph, id, {"ConstantOfShape", {shape}}, type, wish);
    SetOperation(graph, id, {"EyeLike", {zeros}, node.attributes});
  } else {
    const auto dims = *DimsOf(graph, node.inputs[0]);
    const ir::TensorPtr constant =
        node.Is("Shape")
            ? ir::Tensor::FromInt64s({static_cast<std::int64_t>(dims.size())}, dims)
            : ir::Tensor::FromInt64s({}, {*graph.value(node.inputs[0]).type.NumElements()});
    graph.EraseNodes({id});
    graph.value(node.outputs[0]).constant = constant;
  }
  EraseUnread(graph, before);
}

}  // namespace

extern const Pass cut_shape_only_uses;
const Pass cut_shape_only_uses = {
    .name = "cut_shape_only_uses",
    .summary = "takes a shape or type from what is known instead of from a value",
    .exactness = Exactness::kExact,
    .find = FindMatches<MatchNode>,
    .apply = ApplyMatch<MatchNode, Rewrite>,
};

}  // namespace opass::passes
