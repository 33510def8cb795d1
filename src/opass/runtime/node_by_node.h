#pragma once

#include <map>
#include <string>
#include <vector>

#include "opass/ir/graph.h"
#include "opass/runtime/node_session.h"
#include "opass/support/result.h"

namespace opass::runtime {

// A model run one node at a time in its order. Every value is then rounded to its own type, which
// ONNX Runtime does not do for a whole model of 16-bit floats: it computes in 32 bits between
// nodes.
class NodeByNode {
 public:
  // The model must outlive the object. Errors as of NodeSession.
  static Result<NodeByNode> Make(const ir::Model& model, int threads = 1);

  // Values by name (inner ones or outputs), each as a list: one tensor, the elements of a sequence,
  // or nothing for other kinds of values.
  Result<std::vector<std::vector<ir::TensorPtr>>> Run(
      const std::map<std::string, ir::TensorPtr>& inputs, const std::vector<std::string>& fetch);

 private:
  explicit NodeByNode(const ir::Model& model) : model_(&model) {}

  const ir::Model* model_;
  std::vector<NodeSession> sessions_;
};

}  // namespace opass::runtime
