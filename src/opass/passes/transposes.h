#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "opass/ir/graph.h"

namespace opass::passes {

using Perm = std::vector<std::int64_t>;

// The permutation of a Transpose of known rank (its default filled in): output dimension i is input
// dimension perm[i]. Nothing for other nodes and for what is no permutation.
std::optional<Perm> PermOf(const ir::Graph& graph, const ir::Node& node);

// First `first`, then `second`, as one.
Perm Compose(const Perm& first, const Perm& second);
Perm Inverse(const Perm& perm);
bool IsIdentity(const Perm& perm);
// Does it swap the last two dimensions and leave the others?
bool SwapsLastTwo(const Perm& perm);
std::vector<std::int64_t> PermuteDims(const std::vector<std::int64_t>& dims, const Perm& perm);

}  // namespace opass::passes
