#pragma once

#include <cstdint>
#include <vector>

#include "opass/memory/storage.h"
#include "opass/schedulers/search/part.h"

namespace opass::schedulers {

struct Implied {
  bool refuted = false;             // no order keeps the budget: an operator cannot, or a cycle
  std::vector<Precedence> edges;    // not implied by the problem's own precedences
  std::vector<memory::OpId> cuts;   // per edge: which of the two operators' cheapest state says so
  memory::OpId op;                  // refuted: the operator that cannot run; invalid for a cycle
  std::vector<memory::OpId> order;  // a topological order that respects them; unless refuted
  std::uint64_t work = 0;           // that was spent
};

// Precedences that every order within the budget respects (design "scheduling", rule R5): when the
// cheapest state in which v can run needs more than the budget as soon as u is (not) executed in
// it, u must follow (precede) v. Repeats with the edges found until there are no more or the work
// is spent: up to a cut for every pair of operators.
Implied ImpliedEdges(const memory::StorageGraph& graph, std::int64_t budget_bytes,
                     std::uint64_t max_work = 100'000'000);

}  // namespace opass::schedulers
