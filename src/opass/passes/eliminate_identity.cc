// eliminate_identity: removes nodes that compute their input.
//
//   y = Identity(x); z = Relu(y)                        ->   z = Relu(x)
//   y = Reshape(x, shape of x); z = Relu(y)             ->   z = Relu(x)
//
// Identity, Dropout at inference, and Cast, Reshape, Flatten, Squeeze, Unsqueeze, Transpose, Pad,
// Slice, Expand, Tile, Concat, Sum, Max, Min, Mean where type, shape and parameters show that
// nothing changes. A node that gives a graph output a name or bytes of its own (its input is a
// graph input, a constant or another output) stays. Exact.
#include <algorithm>
#include <string_view>

#include "opass/ops/view_ops.h"
#include "opass/passes/pass.h"

namespace opass::passes {
namespace {

bool SameStaticType(const ir::Graph& graph, ir::ValueId a, ir::ValueId b) {
  const ir::Type& from = graph.value(a).type;
  const ir::Type& to = graph.value(b).type;
  const auto dims = from.StaticDims();
  return dims && from.elem == to.elem && dims == to.StaticDims();
}

bool IsZeroPad(const ir::Graph& graph, const ir::Node& node) {
  const std::vector<std::int64_t>* pads = node.Ints("pads");
  std::optional<std::vector<std::int64_t>> constant;
  if (pads == nullptr) {
    if (node.inputs.size() < 2 || !node.inputs[1].valid()) return false;
    const ir::Value& value = graph.value(node.inputs[1]);
    if (value.constant == nullptr || value.overridable) return false;
    constant = ir::AsInt64s(*value.constant);
    if (!constant) return false;
    pads = &*constant;
  }
  return std::ranges::all_of(*pads, [](std::int64_t pad) { return pad == 0; });
}

bool IsWholeSlice(const ir::Graph& graph, const ir::Node& node) {
  const auto ranges = ops::SliceRanges(graph, node);
  // The shape is the input's, so a step of 1 means the whole.
  return ranges && std::ranges::all_of(*ranges, [](const auto& range) { return range.step == 1; });
}

bool IsIdentityPerm(const ir::Graph& graph, const ir::Node& node) {
  const auto fact = ops::ViewOf(graph, node);  // moves only dimensions of size 1 ...
  const std::vector<std::int64_t>* perm = node.Ints("perm");
  // ... and the shape is the input's: the values are in the same order under the same shape.
  return fact.has_value() || (perm != nullptr && std::ranges::is_sorted(*perm));
}

// The caller may replace a parameter: the types show what it does by default only.
bool HasReplaceableParameter(const ir::Graph& graph, const ir::Node& node) {
  return std::any_of(node.inputs.begin() + 1, node.inputs.end(), [&](ir::ValueId input) {
    return input.valid() && graph.value(input).overridable;
  });
}

// Whether the first output is the first input, bit by bit.
bool ComputesItsInput(const ir::Graph& graph, const ir::Node& node) {
  if (!node.domain.empty() || node.inputs.empty() || !node.inputs[0].valid() ||
      node.outputs.size() != 1) {
    return false;
  }
  const std::string_view op = node.op_type;
  if (op == "Identity" || ops::IsInferenceDropout(graph, node)) return true;
  if (node.inputs.size() == 1 &&
      (op == "Concat" || op == "Sum" || op == "Max" || op == "Min" || op == "Mean")) {
    return true;
  }
  if (!SameStaticType(graph, node.inputs[0], node.outputs[0])) return false;
  if (HasReplaceableParameter(graph, node)) return false;
  if (op == "Cast" || op == "Reshape" || op == "Flatten" || op == "Squeeze" || op == "Unsqueeze" ||
      op == "Expand" || op == "Tile") {
    return true;
  }
  if (op == "Transpose") return IsIdentityPerm(graph, node);
  if (op == "Pad") return IsZeroPad(graph, node);
  if (op == "Slice") return IsWholeSlice(graph, node);
  return false;
}

// The better of two types of the same value: the one whose dimensions are known.
void KeepBetterType(ir::Type& type, const ir::Type& other) {
  if (!type.StaticDims() && other.StaticDims()) type = other;
}

bool Eliminate(ir::Graph& graph, ir::NodeId id) {
  const ir::ValueId input = graph.node(id).inputs[0];
  const ir::ValueId output = graph.node(id).outputs[0];
  if (!graph.IsOutput(output)) {
    KeepBetterType(graph.value(input).type, graph.value(output).type);
    graph.ReplaceUses(output, input);
    graph.EraseNodes({id});
    return true;
  }
  // The output keeps its name, so the producer of the input must write it instead.
  const ir::NodeId producer = graph.value(input).producer;
  if (!producer.valid() || graph.IsOutput(input)) return false;
  KeepBetterType(graph.value(output).type, graph.value(input).type);
  graph.EraseNodes({id});
  graph.ReplaceUses(input, output);
  std::ranges::replace(graph.node(producer).outputs, input, output);
  graph.value(input).producer = ir::NodeId();
  graph.value(output).producer = producer;
  return true;
}

int RunOn(ir::Graph& graph) {
  int num_changes = 0;
  const std::vector<ir::NodeId> order = graph.order;  // erasing changes it under the loop
  for (const ir::NodeId id : order) {
    ir::ForEachSubgraph(graph.node(id), [&](ir::Graph& inner) { num_changes += RunOn(inner); });
    if (ComputesItsInput(graph, graph.node(id)) && Eliminate(graph, id)) ++num_changes;
  }
  return num_changes;
}

Result<PassResult> Run(ir::Model& model, const PassOptions&) {
  return PassResult{RunOn(model.graph), {}};
}

}  // namespace

extern const Pass eliminate_identity;
const Pass eliminate_identity = {
    .name = "eliminate_identity",
    .summary = "removes nodes that compute their input",
    .exactness = Exactness::kExact,
    .run = Run,
};

}  // namespace opass::passes
