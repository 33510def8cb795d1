#include "opass/bounds/lower_bound.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "opass/bounds/cut_candidates.h"
#include "opass/bounds/operator_cut.h"
#include "opass/bounds/simple_bounds.h"
#include "opass/support/interrupt.h"

namespace opass::bounds {
namespace {

using memory::Certificate;
using memory::OpId;

// No operator takes a larger part of the work than one in so many.
constexpr std::uint64_t kMostPerOperator = 8;

// The order of the options with what its steps need. Nothing when it is not an order.
std::optional<memory::Schedule> KnownSchedule(const memory::StorageGraph& graph,
                                              const LowerBoundOptions& options) {
  std::vector<OpId> order(options.order.begin(), options.order.end());
  if (order.empty()) {
    for (std::size_t i = 0; i < graph.num_ops(); ++i) order.push_back(OpId(i));
  }
  auto schedule = memory::Evaluate(graph, std::move(order));
  if (!schedule.ok()) return std::nullopt;
  return std::move(*schedule);
}

}  // namespace

Certificate LowerBound(const memory::StorageGraph& graph, const LowerBoundOptions& options) {
  Certificate best = ResidentBound(graph);
  if (Certificate largest = LargestOperatorBound(graph); largest.bytes > best.bytes) {
    best = std::move(largest);
  }
  if (best.bytes >= options.stop_at) return best;
  const auto schedule = KnownSchedule(graph, options);
  if (!schedule) return best;
  std::uint64_t work = options.max_work;
  OperatorCutter cutter(graph);
  CutCandidates candidates(schedule->step_bytes);
  while (work > 0 && best.bytes < options.stop_at && !Interrupted()) {
    const auto step = candidates.Next(best.bytes);
    if (!step) break;
    const OpId op = schedule->order[*step];
    std::uint64_t share = std::min(work, options.max_work / kMostPerOperator);
    work -= share;
    auto cut = cutter.Bound(op, best.bytes, share);
    work += share;
    if (!cut) continue;
    candidates.Raised();
    best.kind = Certificate::Kind::kOperatorCut;
    best.bytes = cut->bytes;
    best.op = op;
    best.executed = std::move(cut->executed);
  }
  return best;
}

}  // namespace opass::bounds
