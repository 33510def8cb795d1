#include "opass/orchestrator/native/shared_weights.h"

#include <algorithm>

namespace opass::orchestrator {

void SharedWeights::AddStart(const ir::Model& model) {
  for (std::size_t i = 0; i < model.graph.num_values(); ++i) {
    const ir::TensorPtr& tensor = model.graph.value(ir::ValueId(i)).constant;
    if (tensor != nullptr) start_.insert(tensor.get());
  }
}

std::int64_t SharedWeights::Share(ir::Model& model, ir::StructuralHasher& hasher) {
  std::int64_t bytes = 0;
  for (std::size_t i = 0; i < model.graph.num_values(); ++i) {
    ir::TensorPtr& tensor = model.graph.value(ir::ValueId(i)).constant;
    if (tensor == nullptr || start_.contains(tensor.get())) continue;
    bytes += static_cast<std::int64_t>(tensor->bytes.size());
    std::weak_ptr<const ir::Tensor>& known = others_[hasher.Hash(tensor)];
    const ir::TensorPtr same = known.lock();
    if (same == tensor) continue;
    if (same != nullptr && ir::SameContent(*same, *tensor)) {
      tensor = same;
    } else {
      known = tensor;
    }
  }
  if (others_.size() >= sweep_at_) {
    std::erase_if(others_, [](const auto& entry) { return entry.second.expired(); });
    sweep_at_ = std::max<std::size_t>(1024, 2 * others_.size());
  }
  return bytes;
}

}  // namespace opass::orchestrator
