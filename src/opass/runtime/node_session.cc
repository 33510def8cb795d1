#include "opass/runtime/node_session.h"

#include <fmt/format.h>

#include <utility>

#include "opass/ir/extract.h"
#include "opass/onnx/schema.h"
#include "opass/ort/evaluate.h"

namespace opass::runtime {

std::string CannotRun::ToString() const {
  return where.empty() ? message : fmt::format("{}: {}", where, message);
}

std::optional<CannotRun> AsCannotRun(const Error& error) {
  if (error.code != ErrorCode::kNotPossible || error.reason.empty()) return std::nullopt;
  return CannotRun{error.reason, error.message, error.where};
}

std::string Describe(const ir::Node& node) {
  return fmt::format("node '{}' ({}{}{})", node.name, node.domain, node.domain.empty() ? "" : ".",
                     node.op_type);
}

Result<NodeSession> NodeSession::Make(const ir::Model& model, ir::NodeId node, int threads) {
  const ir::Graph& graph = model.graph;
  std::vector<ir::ValueId> outputs;
  for (const ir::ValueId id : graph.node(node).outputs) {
    if (id.valid()) outputs.push_back(id);
  }
  const ir::Model one = ir::Extract(model, std::vector{node}, outputs);
  Result<ort::Session> session = ort::Load(one, threads, {});
  if (!session.ok()) {
    session.error().where = Describe(graph.node(node));
    return std::move(session.error());
  }
  NodeSession made(*std::move(session));
  made.node_ = node;
  made.where_ = Describe(graph.node(node));
  for (const ir::ValueId id : graph.Reads(node)) {
    if (graph.value(id).constant != nullptr) continue;
    made.inputs_.push_back(id);
    made.input_names_.push_back(graph.value(id).name.c_str());
  }
  for (const ir::ValueId id : outputs) made.output_names_.push_back(graph.value(id).name.c_str());
  made.outputs_ = std::move(outputs);
  return made;
}

Status NodeSession::Run(std::span<const ort::OrtValue* const> inputs,
                        std::span<ort::Value> outputs) {
  Status status = session_.Run(input_names_, inputs, output_names_, outputs);
  if (!status.ok()) status.error().where = where_;
  return status;
}

const ir::Node* FindRandomNode(const ir::Graph& graph) {
  for (const ir::NodeId id : graph.order) {
    if (onnxlib::IsDeterministic(graph, id)) continue;
    const ir::Node* inner = nullptr;
    ir::ForEachSubgraph(graph.node(id), [&](const ir::Graph& subgraph) {
      if (inner == nullptr) inner = FindRandomNode(subgraph);
    });
    return inner != nullptr ? inner : &graph.node(id);
  }
  return nullptr;
}

}  // namespace opass::runtime
