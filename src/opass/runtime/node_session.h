#pragma once

#include <optional>
#include <string>
#include <vector>

#include "opass/ir/graph.h"
#include "opass/ort/session.h"
#include "opass/support/result.h"

namespace opass::runtime {

// Why a model cannot be run: not a fault of opass, nor of the model.
struct CannotRun {
  std::string reason;  // a slug of docs/errors.md: missing-kernel, random-operator, ...
  std::string message;
  std::string where;  // the node, where there is one

  std::string ToString() const;
};
// kNotPossible errors with a reason are outcomes; all others stay errors.
std::optional<CannotRun> AsCannotRun(const Error& error);

// One node of a model as a session of its own: what it reads becomes its inputs, its constants are
// initializers, which kernels may treat differently. The model must outlive it (names).
class NodeSession {
 public:
  static Result<NodeSession> Make(const ir::Model& model, ir::NodeId node, int threads);

  ir::NodeId node() const { return node_; }
  const std::vector<ir::ValueId>& inputs() const { return inputs_; }    // constants left out
  const std::vector<ir::ValueId>& outputs() const { return outputs_; }  // left-out ones left out

  // In the order of inputs() and outputs(); null outputs are allocated by the runtime. Errors name
  // the node.
  Status Run(std::span<const ort::OrtValue* const> inputs, std::span<ort::Value> outputs);

 private:
  explicit NodeSession(ort::Session session) : session_(std::move(session)) {}

  ir::NodeId node_;
  std::string where_;
  std::vector<ir::ValueId> inputs_;
  std::vector<ir::ValueId> outputs_;
  std::vector<const char*> input_names_;
  std::vector<const char*> output_names_;
  ort::Session session_;
};

// "node 'name' (Conv)"
std::string Describe(const ir::Node& node);

// The first node, subgraphs included, whose result is drawn at random; null when there is none.
const ir::Node* FindRandomNode(const ir::Graph& graph);

}  // namespace opass::runtime
