#include "opass/runtime/least_magnitude.h"

namespace opass::runtime {

double LeastMagnitude(const ir::Graph& graph, ir::ValueId value) {
  constexpr int kMaxSteps = 8;
  for (int step = 0; step < kMaxSteps && value.valid(); ++step) {
    const ir::NodeId producer = graph.value(value).producer;
    if (!producer.valid()) return 0;
    const ir::Node& node = graph.node(producer);
    for (const char* bounded : {"Sigmoid", "HardSigmoid", "Softmax", "Tanh", "Erf"}) {
      if (node.Is(bounded)) return 1;
    }
    const bool moves = node.Is("Identity") || node.Is("Reshape") || node.Is("Transpose") ||
                       node.Is("Squeeze") || node.Is("Unsqueeze") || node.Is("Flatten");
    if (!moves || node.inputs.empty()) return 0;
    value = node.inputs[0];
  }
  return 0;
}

}  // namespace opass::runtime
