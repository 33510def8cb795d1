#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "opass/schedulers/search/search_rules.h"
#include "opass/schedulers/search/step_graph.h"
#include "opass/schedulers/search/step_state.h"

namespace opass::schedulers {

struct DecideOptions {
  std::int64_t budget_bytes = 0;
  Direction direction = Direction::kForward;
  SearchRules rules = {};  // closure, commit and memo count here
  // States branched at.
  std::uint64_t max_nodes = 100'000;
  // Ready operators looked at: what bounds the time where many are ready at once.
  std::uint64_t max_looks = 2'000'000'000;
  std::size_t max_memo_bytes = std::size_t{256} << 20;  // full: no more states are remembered
  const std::atomic<bool>* stop = nullptr;              // when it becomes true, kUnknown
};

struct Decision {
  enum class Answer {
    kFound,    // `order` keeps the budget
    kRefuted,  // no order does: each needs `at_least_bytes` or more, which is above the budget
    kUnknown,  // the nodes or looks ran out, or the user interrupts
  };
  Answer answer = Answer::kUnknown;
  std::vector<memory::OpId> order;  // the first step first, whatever the direction
  std::int64_t at_least_bytes = 0;
  std::uint64_t nodes = 0;
  std::uint64_t looks = 0;
};

// Is there an order whose peak is at most the budget? A depth-first search over the sets of taken
// operators (design "scheduling", 1.5), without recursion.
Decision Decide(const StepGraph& graph, const DecideOptions& options);

}  // namespace opass::schedulers
