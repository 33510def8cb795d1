#include "opass/schedulers/search/precedences.h"

#include <functional>
#include <queue>

namespace opass::schedulers {

using memory::OpId;

std::vector<OpId> OrderWith(const memory::StorageGraph& graph, std::span<const Precedence> extra) {
  std::vector<std::vector<OpId>> next(graph.num_ops());
  std::vector<std::size_t> waits(graph.num_ops());
  for (std::size_t i = 0; i < graph.num_ops(); ++i) {
    next[i] = graph.op(OpId(i)).successors;
    waits[i] = graph.op(OpId(i)).predecessors.size();
  }
  for (const auto& [first, then] : extra) {
    next[first.index()].push_back(then);
    ++waits[then.index()];
  }
  std::priority_queue<std::size_t, std::vector<std::size_t>, std::greater<>> ready;
  for (std::size_t i = 0; i < waits.size(); ++i) {
    if (waits[i] == 0) ready.push(i);
  }
  std::vector<OpId> order;
  while (!ready.empty()) {
    const OpId op(ready.top());
    ready.pop();
    order.push_back(op);
    for (const OpId after : next[op.index()]) {
      if (--waits[after.index()] == 0) ready.push(after.index());
    }
  }
  return order;
}

}  // namespace opass::schedulers
