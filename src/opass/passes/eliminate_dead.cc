// eliminate_dead: removes nodes whose outputs nobody reads, outputs that a node may leave out and
// nobody reads (the mask of a Dropout, the indices of a MaxPool), and constants without readers.
//
//   y = Relu(x); z = Tanh(x)   graph output y        ->   y = Relu(x)
//
// Exact: nothing that is read changes. Graph inputs stay: they are the model's interface.
#include <algorithm>

#include "opass/onnx/schema.h"
#include "opass/passes/pass.h"

namespace opass::passes {
namespace {

class Eliminator {
 public:
  Eliminator(const ir::Model& model, ir::Graph& graph)
      : model_(model), graph_(graph), is_read_(graph.num_values()) {}

  int Run() {
    for (const ir::ValueId output : graph_.outputs) is_read_[output.index()] = true;
    std::vector<ir::NodeId> dead;
    for (auto id = graph_.order.rbegin(); id != graph_.order.rend(); ++id) {
      ir::Node& node = graph_.node(*id);
      const bool is_read = std::ranges::any_of(node.outputs, [&](ir::ValueId output) {
        return output.valid() && is_read_[output.index()];
      });
      if (!is_read) {
        dead.push_back(*id);
        continue;
      }
      ir::ForEachSubgraph(node, [&](ir::Graph& subgraph) {
        num_changes_ += Eliminator(model_, subgraph).Run();
        DropUnreadCaptures(subgraph);
      });
      LeaveOutOutputs(node);
      for (const ir::ValueId read : graph_.Reads(*id)) is_read_[read.index()] = true;
    }
    graph_.EraseNodes(dead);
    num_changes_ += static_cast<int>(dead.size());
    DropConstants();
    return num_changes_;
  }

 private:
  // Optional outputs at the end of the list are dropped, those in between are left out.
  void LeaveOutOutputs(ir::Node& node) {
    for (std::size_t i = node.outputs.size(); i-- > 1;) {
      const ir::ValueId output = node.outputs[i];
      if (output.valid() && is_read_[output.index()]) continue;
      const bool is_last = i + 1 == node.outputs.size();
      if (output.valid()) {
        if (!IsOptional(node, i)) continue;
        graph_.value(output).producer = ir::NodeId();
        node.outputs[i] = ir::ValueId();
        ++num_changes_;
      }
      if (is_last) node.outputs.pop_back();
    }
  }

  bool IsOptional(const ir::Node& node, std::size_t position) const {
    const auto opset = model_.opsets.find(node.domain);
    // Its number of outputs once said whether it trains.
    constexpr std::int64_t kFirstOpsetWithTrainingMode = 14;
    if (node.Is("BatchNormalization") && model_.opset() < kFirstOpsetWithTrainingMode) return false;
    return opset != model_.opsets.end() &&
           onnxlib::IsOptionalOutput(node.domain, node.op_type, opset->second, position);
  }

  void DropUnreadCaptures(ir::Graph& subgraph) {
    std::vector<bool> is_read(subgraph.num_values());
    for (const ir::ValueId output : subgraph.outputs) is_read[output.index()] = true;
    for (const ir::NodeId id : subgraph.order) {
      for (const ir::ValueId read : subgraph.Reads(id)) is_read[read.index()] = true;
    }
    std::erase_if(subgraph.captures,
                  [&](const ir::Capture& capture) { return !is_read[capture.inner.index()]; });
  }

  void DropConstants() {
    for (std::size_t i = 0; i < graph_.num_values(); ++i) {
      ir::Value& value = graph_.value(ir::ValueId(i));
      if (value.constant == nullptr || value.overridable || is_read_[i]) continue;
      value.constant = nullptr;
      ++num_changes_;
    }
  }

  const ir::Model& model_;
  ir::Graph& graph_;
  std::vector<bool> is_read_;
  int num_changes_ = 0;
};

Result<PassResult> Run(ir::Model& model, const PassOptions&) {
  return PassResult{Eliminator(model, model.graph).Run(), {}};
}

}  // namespace

extern const Pass eliminate_dead;
const Pass eliminate_dead = {
    .name = "eliminate_dead",
    .summary = "removes nodes, optional outputs and constants that nobody reads",
    .exactness = Exactness::kExact,
    .run = Run,
};

}  // namespace opass::passes
