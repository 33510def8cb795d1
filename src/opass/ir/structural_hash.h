#pragma once

#include <compare>
#include <cstdint>
#include <memory>
#include <unordered_map>

#include "opass/ir/graph.h"

namespace opass::ir {

struct Hash128 {
  std::uint64_t high = 0;
  std::uint64_t low = 0;

  friend auto operator<=>(const Hash128&, const Hash128&) = default;
};

// Hashes of what models are, whatever their nodes and values are called and in whatever order the
// nodes are listed: operators, attributes, types, connections, weights by content, subgraphs,
// operator sets, and the order of graph inputs and outputs. Not of names, metadata and constants
// that nobody reads.
//
// The nodes are coloured by what they compute, then by who reads that, then by both (colour
// refinement: Weisfeiler and Lehman 1968, here three sweeps along the edges of a DAG), and the
// colours of all nodes are added up: so two copies of a node are not one node, and it matters who
// reads which copy. A hash of good dispersion, but not of cryptographic strength: who relies on it
// must stay right when two graphs collide.
class StructuralHasher {
 public:
  Hash128 Hash(const Model& model);
  // Of type, dimensions and content. Read once: a tensor is known again while it lives.
  Hash128 Hash(const TensorPtr& tensor);

 private:
  struct Known {
    std::weak_ptr<const Tensor> tensor;  // keeps the address from being used again
    Hash128 hash;
  };
  std::unordered_map<const Tensor*, Known> tensors_;  // only looked up
  std::size_t sweep_at_ = 1024;                       // tensors_ is rid of the dead at this size
};

}  // namespace opass::ir
