#pragma once

#include <span>
#include <utility>
#include <vector>

#include "opass/memory/storage.h"

namespace opass::schedulers {

// An operator and one that must run after it.
using Precedence = std::pair<memory::OpId, memory::OpId>;

// The topological order of the graph's operators, those with the least ids first, that respects
// `extra` too. Where they make a cycle, the operators on it and after it are missing.
std::vector<memory::OpId> OrderWith(const memory::StorageGraph& graph,
                                    std::span<const Precedence> extra);

}  // namespace opass::schedulers
