#include "opass/schedulers/search/implied_edges.h"

#include <algorithm>

#include "opass/bounds/cheapest_state.h"
#include "opass/memory/takeover_matching.h"
#include "opass/schedulers/search/cheap_states.h"
#include "opass/support/interrupt.h"

namespace opass::schedulers {
namespace {

using bounds::CheapestState;
using Side = bounds::CheapestState::Side;
using memory::OpId;
using memory::StorageId;

// An operator that leaves more than this part of the budget free says next to nothing of others.
constexpr std::int64_t kMostFree = 2;

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
    CheapStates seen(narrowed.graph());
    for (const OpId op : narrowed.GivenOrder()) {
      if (!narrowed.origin(op).valid() || found_.refuted || work_ == 0) continue;
      Look(narrowed, state, op, seen);
    }
  }

  void Look(const Part& narrowed, CheapestState& state, OpId op, CheapStates& seen) {
    const std::int64_t left = budget_bytes_ - LeastOwnBytes(narrowed.graph(), op);
    Decide(narrowed.graph(), state, op);
    const auto live = state.Minimize(op, work_);
    if (!live) return;
    found_.refuted = *live > left;
    if (found_.refuted) {
      found_.op = narrowed.origin(op);
      return;
    }
    if (left - *live > budget_bytes_ / kMostFree) return;
    seen.Add(state.Executed(), *live);
    const CheapStates::Sides sides = seen.SidesWithin(op, left);
    std::vector<OpId> to_execute;
    std::vector<OpId> to_postpone;
    for (const OpId other : narrowed.GivenOrder()) {
      if (state.side(other) != Side::kFree || !narrowed.origin(other).valid()) continue;
      if (!sides.executed.Holds(other)) to_execute.push_back(other);
      if (!sides.waiting.Holds(other)) to_postpone.push_back(other);
    }
    const OpId cut = narrowed.origin(op);
    for (const OpId other :
         Refused(narrowed.graph(), state, left, to_execute, Side::kExecuted, seen)) {
      AddEdge(cut, narrowed.origin(other), cut);
    }
    for (const OpId other :
         Refused(narrowed.graph(), state, left, to_postpone, Side::kWaiting, seen)) {
      AddEdge(narrowed.origin(other), cut, cut);
    }
  }

  void AddEdge(OpId first, OpId then, OpId cut) {
    found_.edges.push_back({first, then});
    found_.cuts.push_back(cut);
  }

  // Of the operators, in a topological order, those that cannot be on that side within `left`
  // bytes. With an operator all that need it cannot be executed, and all that it needs cannot wait:
  // only the first, or the last, ones are returned. Those are asked about first that speak for most
  // others if they can.
  std::vector<OpId> Refused(const memory::StorageGraph& graph, CheapestState& state,
                            std::int64_t left, std::vector<OpId> open, Side side,
                            CheapStates& seen) {
    std::vector<bool> refused(graph.num_ops(), false);
    const std::vector<OpId> asked = open;
    while (!open.empty()) {
      const OpId candidate = side == Side::kExecuted ? open.back() : open.front();
      const auto bytes = state.Try(candidate, side, left, work_);
      if (!bytes) return {};
      if (*bytes > left) {
        Mark(graph, candidate, side, refused);
        std::erase_if(open, [&](OpId op) { return bool{refused[op.index()]}; });
        continue;
      }
      const OpSet& executed = seen.Add(state.Executed(), *bytes);
      std::erase_if(open, [&](OpId op) { return executed.Holds(op) == (side == Side::kExecuted); });
    }
    std::vector<OpId> first;
    for (const OpId op : asked) {
      const auto& toward =
          side == Side::kExecuted ? graph.op(op).predecessors : graph.op(op).successors;
      const bool is_first = refused[op.index()] &&
                            std::none_of(toward.begin(), toward.end(),
                                         [&](OpId next) { return bool{refused[next.index()]}; });
      if (is_first) first.push_back(op);
    }
    return first;
  }

  // The operator and all that need it (it cannot be executed) or all that it needs.
  static void Mark(const memory::StorageGraph& graph, OpId from, Side side,
                   std::vector<bool>& refused) {
    std::vector<OpId> stack = {from};
    refused[from.index()] = true;
    while (!stack.empty()) {
      const memory::StorageOp& op = graph.op(stack.back());
      stack.pop_back();
      for (const OpId next : side == Side::kExecuted ? op.successors : op.predecessors) {
        if (refused[next.index()]) continue;
        refused[next.index()] = true;
        stack.push_back(next);
      }
    }
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

  // A cycle refutes.
  void Order() {
    found_.order = OrderWith(graph_, found_.edges);
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
