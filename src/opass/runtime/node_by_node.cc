#include "opass/runtime/node_by_node.h"

#include <fmt/format.h>

#include <unordered_map>
#include <utility>

#include "opass/runtime/value_store.h"
#include "opass/support/interrupt.h"

namespace opass::runtime {

Result<NodeByNode> NodeByNode::Make(const ir::Model& model, int threads) {
  NodeByNode made(model);
  for (const ir::NodeId id : model.graph.order) {
    OPASS_ASSIGN_OR_RETURN(NodeSession session, NodeSession::Make(model, id, threads));
    made.sessions_.push_back(std::move(session));
  }
  return made;
}

Result<std::vector<std::vector<ir::TensorPtr>>> NodeByNode::Run(
    const std::map<std::string, ir::TensorPtr>& inputs, const std::vector<std::string>& fetch) {
  const ir::Graph& graph = model_->graph;
  ValueStore store(graph);
  for (const ir::ValueId id : graph.inputs) {
    if (graph.value(id).constant != nullptr) continue;
    const auto found = inputs.find(graph.value(id).name);
    if (found == inputs.end()) {
      return WithReason(InvalidInput("no value is given for this input",
                                     fmt::format("'{}'", graph.value(id).name)),
                        "missing-input");
    }
    OPASS_RETURN_IF_ERROR(store.Set(id, *found->second));
  }
  std::unordered_map<std::string, std::size_t> wanted;
  for (std::size_t i = 0; i < fetch.size(); ++i) wanted.emplace(fetch[i], i);
  std::vector<std::vector<ir::TensorPtr>> out(fetch.size());
  const auto keep = [&](ir::ValueId id) {
    const auto found = wanted.find(graph.value(id).name);
    if (found == wanted.end()) return;
    if (const ir::TensorPtr& constant = graph.value(id).constant; constant != nullptr) {
      out[found->second] = {constant};
    } else if (ort::OrtValue* value = store.get(id); value != nullptr) {
      if (auto list = ort::ReadTensors(value); list.ok()) out[found->second] = *std::move(list);
    }
  };
  const std::vector<std::int64_t> last = LastUses(graph, graph.order);
  for (std::size_t step = 0; step < sessions_.size(); ++step) {
    if (InterruptedByUser()) return Error{ErrorCode::kInterrupted, "interrupted", "", "", ""};
    OPASS_RETURN_IF_ERROR(store.Run(sessions_[step]));
    for (const ir::ValueId id : sessions_[step].outputs()) {
      keep(id);
      if (last[id.index()] < 0) store.Release(id);
    }
    for (const ir::ValueId id : sessions_[step].inputs()) {
      if (last[id.index()] == static_cast<std::int64_t>(step)) store.Release(id);
    }
  }
  for (const ir::ValueId id : graph.outputs) keep(id);
  return out;
}

}  // namespace opass::runtime
