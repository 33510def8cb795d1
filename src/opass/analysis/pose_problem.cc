#include "opass/analysis/pose_problem.h"

#include <fmt/format.h>

#include <algorithm>

#include "opass/ops/in_place.h"
#include "opass/ops/view_ops.h"
#include "opass/support/bytes.h"

namespace opass::analysis {
namespace {

class Poser {
 public:
  Poser(const ir::Graph& graph, const PoseOptions& options, bool is_main)
      : graph_(graph), options_(options), is_main_(is_main) {
    posed_.problem.name = graph.name;
    posed_.problem.alignment = options.alignment;
    posed_.problem.inputs = options.inputs;
    posed_.problem_value_of.resize(graph.num_values());
    is_output_.resize(graph.num_values());
    for (const ir::ValueId output : graph.outputs) is_output_[output.index()] = true;
  }

  Result<PosedProblem> Pose() {
    for (const ir::ValueId input : graph_.inputs) {
      if (graph_.value(input).constant != nullptr) continue;
      memory::Value& value = AddValue(input, memory::OpId());
      value.is_preserved = options_.preserve_inputs && value.in_arena;
    }
    // What a subgraph captures lives outside of it, for the whole run of its operator.
    for (const ir::Capture& capture : graph_.captures) {
      AddValue(capture.inner, memory::OpId()).in_arena = false;
    }
    for (const ir::NodeId node : graph_.order) OPASS_RETURN_IF_ERROR(AddOp(node));
    CountWeights(graph_);
    return std::move(posed_);
  }

 private:
  memory::Value& AddValue(ir::ValueId id, memory::OpId producer) {
    const ir::Value& source = graph_.value(id);
    memory::Value value;
    value.name = source.name;
    value.producer = producer;
    value.is_output = is_output_[id.index()];
    const auto size = source.type.SizeBytes();
    value.size_bytes = size.value_or(0);
    value.in_arena = size.has_value();
    if (!size && (producer.valid() || is_main_)) {
      posed_.unplanned_values.push_back(source.name);
    }
    posed_.sum_bytes += value.size_bytes;
    if (options_.exclude_io && is_main_ && (value.is_output || !producer.valid())) {
      value.in_arena = false;
    }
    posed_.problem_value_of[id.index()] = memory::ValueId(posed_.problem.values.size());
    posed_.value_of.push_back(id);
    posed_.problem.values.push_back(std::move(value));
    root_of_.push_back(posed_.problem_value_of[id.index()]);
    root_is_read_outside_.push_back(posed_.problem.values.back().is_output || !producer.valid());
    return posed_.problem.values.back();
  }

  Status AddOp(ir::NodeId id) {
    const ir::Node& node = graph_.node(id);
    const memory::OpId op_id(posed_.problem.ops.size());
    memory::Op op;
    op.name = node.name;
    for (const ir::ValueId read : graph_.Reads(id)) {
      const memory::ValueId value = posed_.problem_value_of[read.index()];
      if (value.valid()) op.inputs.push_back(value);
    }
    for (const ir::ValueId output : node.outputs) {
      if (!output.valid()) continue;
      AddValue(output, op_id);
      op.outputs.push_back(posed_.problem_value_of[output.index()]);
    }
    const bool is_view = options_.sharing.view && MakeView(node);
    if (!is_view && options_.sharing.in_place) AddInPlace(node, op);
    if (id.index() < options_.workspace_bytes.size()) {
      op.workspace_bytes = options_.workspace_bytes[id.index()];
    } else if (options_.subgraph_peak != nullptr) {
      OPASS_ASSIGN_OR_RETURN(op.workspace_bytes, SubgraphPeak(node));
    }
    posed_.node_of_op.push_back(id);
    posed_.problem.ops.push_back(std::move(op));
    return {};
  }

  // Makes all outputs of the node views of its input, or none. A graph output must not share bytes
  // with an input or with another output: such a node stays a copy.
  bool MakeView(const ir::Node& node) {
    const auto fact = ops::ViewOf(graph_, node);
    if (!fact) return false;
    const memory::ValueId source = posed_.problem_value_of[node.inputs[fact->input].index()];
    if (!source.valid() || !posed_.problem.value(source).in_arena) return false;
    const memory::ValueId root = root_of_[source.index()];
    const std::int64_t source_bytes = posed_.problem.value(source).size_bytes;
    std::size_t num_graph_outputs = 0;
    for (std::size_t i = 0; i < node.outputs.size(); ++i) {
      if (!node.outputs[i].valid()) continue;
      const memory::Value& output = Posed(node.outputs[i]);
      const std::int64_t offset = fact->offsets_bytes[i];
      if (!output.in_arena || offset % options_.alignment != 0) return false;
      if (offset + output.size_bytes > source_bytes) return false;
      num_graph_outputs += output.is_output ? 1 : 0;
    }
    if (num_graph_outputs > 1 || (num_graph_outputs > 0 && root_is_read_outside_[root.index()])) {
      return false;
    }
    for (std::size_t i = 0; i < node.outputs.size(); ++i) {
      if (!node.outputs[i].valid()) continue;
      const memory::ValueId output = posed_.problem_value_of[node.outputs[i].index()];
      posed_.problem.value(output).view = memory::View{source, fact->offsets_bytes[i]};
      root_of_[output.index()] = root;
    }
    if (num_graph_outputs > 0) root_is_read_outside_[root.index()] = true;
    return true;
  }

  void AddInPlace(const ir::Node& node, memory::Op& op) {
    for (const std::size_t position : ops::InPlaceInputs(graph_, node)) {
      const memory::ValueId input = posed_.problem_value_of[node.inputs[position].index()];
      if (!input.valid() || !posed_.problem.value(input).in_arena) continue;
      const memory::ValueId output = posed_.problem_value_of[node.outputs[0].index()];
      if (!posed_.problem.value(output).in_arena) continue;
      // Another operand that shares the storage would be read through bytes already overwritten.
      const bool shared = std::ranges::any_of(op.inputs, [&](memory::ValueId other) {
        return other != input && root_of_[other.index()] == root_of_[input.index()];
      });
      const bool listed = std::ranges::any_of(
          op.in_place, [&](const memory::InPlace& pair) { return pair.input == input; });
      if (!shared && !listed) op.in_place.push_back({output, input});
    }
  }

  // The largest peak among the node's subgraphs, rounded by the planner like everything else.
  Result<std::int64_t> SubgraphPeak(const ir::Node& node) {
    std::int64_t peak = 0;
    for (const ir::Attribute& attribute : node.attributes) {
      const auto* subgraph = std::get_if<ir::GraphAttribute>(&attribute.value);
      if (subgraph == nullptr) continue;
      PoseOptions inner_options = options_;
      inner_options.workspace_bytes.clear();
      OPASS_ASSIGN_OR_RETURN(const PosedProblem inner,
                             Poser(**subgraph, inner_options, /*is_main=*/false).Pose());
      OPASS_ASSIGN_OR_RETURN(const std::int64_t bytes, options_.subgraph_peak(inner.problem));
      peak = std::max(peak, bytes);
    }
    return peak;
  }

  void CountWeights(const ir::Graph& graph) {
    for (std::size_t i = 0; i < graph.num_values(); ++i) {
      const ir::TensorPtr& constant = graph.value(ir::ValueId(i)).constant;
      if (constant == nullptr) continue;
      posed_.weights_bytes += static_cast<std::int64_t>(constant->bytes.size());
      for (const std::string& text : constant->strings) {
        posed_.weights_bytes += static_cast<std::int64_t>(text.size());
      }
    }
    for (const ir::NodeId id : graph.order) {
      ir::ForEachSubgraph(graph.node(id), [&](const ir::Graph& inner) { CountWeights(inner); });
    }
  }

  const memory::Value& Posed(ir::ValueId id) const {
    return posed_.problem.value(posed_.problem_value_of[id.index()]);
  }

  const ir::Graph& graph_;
  const PoseOptions& options_;
  const bool is_main_;
  PosedProblem posed_;
  std::vector<bool> is_output_;             // by ir::ValueId
  std::vector<memory::ValueId> root_of_;    // by memory::ValueId
  std::vector<bool> root_is_read_outside_;  // by root: a graph input, or holds a graph output
};

}  // namespace

Result<PosedProblem> PoseProblem(const ir::Model& model, const PoseOptions& options) {
  OPASS_ASSIGN_OR_RETURN(PosedProblem posed, Poser(model.graph, options, true).Pose());
  OPASS_RETURN_IF_ERROR(memory::Validate(posed.problem));
  return posed;
}

}  // namespace opass::analysis
