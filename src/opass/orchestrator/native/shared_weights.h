#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <set>

#include "opass/ir/graph.h"
#include "opass/ir/structural_hash.h"

namespace opass::orchestrator {

// Gives equal weights of different graphs one storage: each of a thousand states may have folded
// the same scale into the same convolution.
class SharedWeights {
 public:
  // The weights of this model are there in any case.
  void AddStart(const ir::Model& model);
  // Replaces weights by equal ones that other living models have. The bytes of those that the start
  // does not have.
  std::int64_t Share(ir::Model& model, ir::StructuralHasher& hasher);

 private:
  std::set<const ir::Tensor*> start_;  // only looked up
  std::map<ir::Hash128, std::weak_ptr<const ir::Tensor>> others_;
  std::size_t sweep_at_ = 1024;
};

}  // namespace opass::orchestrator
