#include "opass/bounds/operator_cut.h"

#include <algorithm>
#include <limits>

namespace opass::bounds {

using memory::OpId;
using memory::Storage;
using memory::StorageId;
using Side = CheapestState::Side;

OperatorCutter::OperatorCutter(const memory::StorageGraph& graph)
    : graph_(graph), matching_(graph), state_(graph) {}

std::optional<OperatorCut> OperatorCutter::Bound(OpId op, std::int64_t above, std::uint64_t& work) {
  Decide(op);
  const std::int64_t fixed = FixedBytes(op);
  const std::int64_t most_saved =
      matching_.Solve(op, [&](StorageId input) { return CanDie(op, input); });
  const std::int64_t always_saved =
      matching_.Solve(op, [&](StorageId input) { return AlwaysDies(op, input); });
  const std::vector<memory::Takeover>& takeovers = graph_.op(op).takeovers;
  const bool one_output = std::all_of(takeovers.begin(), takeovers.end(), [&](const auto& t) {
    return t.output == takeovers.front().output;
  });
  const bool conditional = one_output && always_saved < most_saved;
  OperatorCut best{std::numeric_limits<std::int64_t>::max(), {}};
  if (!Offer(op, fixed - (conditional ? 0 : most_saved), best, work)) return std::nullopt;
  for (std::size_t i = 0; conditional && i < takeovers.size() && best.bytes > above; ++i) {
    Decide(op);
    if (!CanDie(op, takeovers[i].input)) continue;
    for (const OpId reader : graph_.storage(takeovers[i].input).readers) {
      if (reader != op) state_.Execute(reader);
    }
    if (!Offer(op, fixed - most_saved, best, work)) return std::nullopt;
  }
  if (best.bytes <= above) return std::nullopt;
  return best;
}

void OperatorCutter::Decide(OpId op) {
  state_.Reset();
  state_.Postpone(op);
  for (const OpId before : graph_.op(op).predecessors) state_.Execute(before);
}

// Some set has executed all other readers of `input` before `op`.
bool OperatorCutter::CanDie(OpId op, StorageId input) const {
  const Storage& storage = graph_.storage(input);
  return !storage.kept && std::all_of(storage.readers.begin(), storage.readers.end(), [&](OpId r) {
    return r == op || state_.side(r) != Side::kWaiting;
  });
}

// Every set has executed them.
bool OperatorCutter::AlwaysDies(OpId op, StorageId input) const {
  const Storage& storage = graph_.storage(input);
  return !storage.kept && std::all_of(storage.readers.begin(), storage.readers.end(), [&](OpId r) {
    return r == op || state_.side(r) == Side::kExecuted;
  });
}

std::int64_t OperatorCutter::FixedBytes(OpId op) const {
  std::int64_t bytes = graph_.op(op).workspace_bytes;
  for (const StorageId output : graph_.op(op).outputs) bytes += graph_.storage(output).size_bytes;
  return bytes;
}

// Keeps the cheapest set that agrees with the decisions when it is cheaper than the best so far;
// false when `work` runs out.
bool OperatorCutter::Offer(OpId op, std::int64_t step_bytes, OperatorCut& best,
                           std::uint64_t& work) {
  const std::optional<std::int64_t> live = state_.Minimize(op, work);
  if (!live) return false;
  if (*live + step_bytes >= best.bytes) return true;
  best.bytes = *live + step_bytes;
  best.executed = state_.Executed();
  return true;
}

}  // namespace opass::bounds
