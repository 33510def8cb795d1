#include "opass/schedulers/search/implied_edges.h"

#include <algorithm>
#include <functional>
#include <memory>
#include <queue>

#include "opass/bounds/cheapest_state.h"
#include "opass/memory/takeover_matching.h"
#include "opass/support/interrupt.h"

namespace opass::schedulers {
namespace {

using bounds::CheapestState;
using memory::OpId;
using memory::StorageId;

class Finder {
 public:
  Finder(const memory::StorageGraph& graph, std::int64_t budget_bytes, std::uint64_t max_work)
      : graph_(graph), budget_bytes_(budget_bytes), max_work_(max_work), work_(max_work) {}

  Implied Run() {
    Order();
    while (!found_.refuted && work_ > 0 && !Interrupted()) {
      const std::size_t before = found_.edges.size();
      Round();
      if (!found_.refuted) Order();
      if (found_.edges.size() == before) break;
    }
    found_.work = max_work_ - work_;
    return std::move(found_);
  }

 private:
  // All operators once, in a graph with the edges found so far.
  void Round() {
    const Part narrowed(graph_, {}, found_.order, found_.edges);
    CheapestState state(narrowed.graph());
    for (const OpId op : narrowed.GivenOrder()) {
      if (!narrowed.origin(op).valid() || found_.refuted || work_ == 0) continue;
      Look(narrowed, state, op);
    }
  }

  void Look(const Part& narrowed, CheapestState& state, OpId op) {
    const std::int64_t left = budget_bytes_ - LeastOwnBytes(narrowed.graph(), op);
    Decide(narrowed.graph(), state, op);
    const auto live = state.Minimize(op, work_);
    if (!live) return;
    found_.refuted = *live > left;
    if (found_.refuted) {
      found_.op = narrowed.origin(op);
      return;
    }
    const std::vector<OpId> cheapest = state.Executed();
    const std::vector<OpId> others = Free(narrowed, state);
    for (const OpId other : others) {
      // The cheapest state is within the budget; only the other side can be beyond it.
      const bool executed = std::binary_search(cheapest.begin(), cheapest.end(), other);
      Decide(narrowed.graph(), state, op);
      if (executed) {
        state.Postpone(other);
      } else {
        state.Execute(other);
      }
      const auto bytes = state.Minimize(op, work_);
      if (!bytes) return;
      if (*bytes <= left) continue;
      const OpId a = narrowed.origin(op);
      const OpId b = narrowed.origin(other);
      found_.edges.push_back(executed ? Precedence{b, a} : Precedence{a, b});
      found_.cuts.push_back(a);
    }
  }

  static std::vector<OpId> Free(const Part& part, const CheapestState& state) {
    std::vector<OpId> free;
    for (const OpId op : part.GivenOrder()) {
      if (state.side(op) == CheapestState::Side::kFree && part.origin(op).valid()) {
        free.push_back(op);
      }
    }
    return free;
  }

  static void Decide(const memory::StorageGraph& graph, CheapestState& state, OpId op) {
    state.Reset();
    state.Postpone(op);
    for (const OpId before : graph.op(op).predecessors) state.Execute(before);
  }

  // Outputs and workspace, less the most that any state lets it take over.
  static std::int64_t LeastOwnBytes(const memory::StorageGraph& graph, OpId op) {
    std::int64_t bytes = graph.op(op).workspace_bytes;
    for (const StorageId output : graph.op(op).outputs) bytes += graph.storage(output).size_bytes;
    return bytes - memory::TakeoverMatching(graph).Solve(op, [](StorageId) { return true; });
  }

  // Sorts topologically, the least id first; a cycle refutes.
  void Order() {
    std::vector<std::vector<OpId>> next(graph_.num_ops());
    std::vector<std::size_t> waits(graph_.num_ops());
    for (std::size_t i = 0; i < graph_.num_ops(); ++i) {
      next[i] = graph_.op(OpId(i)).successors;
      waits[i] = graph_.op(OpId(i)).predecessors.size();
    }
    for (const auto& [first, then] : found_.edges) {
      next[first.index()].push_back(then);
      ++waits[then.index()];
    }
    std::priority_queue<std::size_t, std::vector<std::size_t>, std::greater<>> ready;
    for (std::size_t i = 0; i < waits.size(); ++i) {
      if (waits[i] == 0) ready.push(i);
    }
    found_.order.clear();
    while (!ready.empty()) {
      const OpId op(ready.top());
      ready.pop();
      found_.order.push_back(op);
      for (const OpId after : next[op.index()]) {
        if (--waits[after.index()] == 0) ready.push(after.index());
      }
    }
    found_.refuted = found_.order.size() < graph_.num_ops();
  }

  const memory::StorageGraph& graph_;
  const std::int64_t budget_bytes_;
  const std::uint64_t max_work_;
  std::uint64_t work_;  // left
  Implied found_;
};

}  // namespace

Implied ImpliedEdges(const memory::StorageGraph& graph, std::int64_t budget_bytes,
                     std::uint64_t max_work) {
  return Finder(graph, budget_bytes, max_work).Run();
}

}  // namespace opass::schedulers
