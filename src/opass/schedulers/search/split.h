#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "opass/memory/storage.h"

namespace opass::schedulers {

struct SplitOrder {
  std::vector<memory::OpId> order;  // the given one, rearranged; its peak is not higher
  // Numbers of operators: the first so many of `order` are a set that some best order executes
  // before all others. In the order of being found: each is certified within the two nearest ones
  // found before it (or the ends).
  std::vector<std::size_t> splits;
};

// Is `executed` (closed under predecessors, neither empty nor all) a certified split (design
// "scheduling", rule R3'): no state between it and what does not need one of its operators has
// fewer bytes live, and none between what one of the others needs and it. Then any order can be
// rearranged to execute it first without a higher peak: so both sides can be solved apart. When it
// is not, `cheaper` is a state that has fewer. False, with nothing in it, when `work` (as of
// bounds::CheapestState) runs out.
bool IsSplit(const memory::StorageGraph& graph, std::span<const memory::OpId> executed,
             std::vector<memory::OpId>& cheaper, std::uint64_t& work);

// Splits the problem as often as possible at the states along `order` with the fewest live bytes,
// or at cheaper ones close to them.
SplitOrder SplitAlong(const memory::StorageGraph& graph, std::span<const memory::OpId> order,
                      std::uint64_t max_work);

}  // namespace opass::schedulers
