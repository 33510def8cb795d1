#include "opass/bounds/lower_bound.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "opass/bounds/operator_cut.h"
#include "opass/bounds/simple_bounds.h"
#include "opass/support/interrupt.h"

namespace opass::bounds {
namespace {

using memory::Certificate;
using memory::OpId;

// No operator takes a larger part of the work than one in so many.
constexpr std::uint64_t kMostPerOperator = 8;

struct Candidate {
  std::int64_t step_bytes;  // at least its operator bound
  OpId op;
};

// The operators by what their steps need in the order of the options, the most first.
std::vector<Candidate> Candidates(const memory::StorageGraph& graph,
                                  const LowerBoundOptions& options) {
  std::vector<OpId> order(options.order.begin(), options.order.end());
  if (order.empty()) {
    for (std::size_t i = 0; i < graph.num_ops(); ++i) order.push_back(OpId(i));
  }
  const auto schedule = memory::Evaluate(graph, std::move(order));
  std::vector<Candidate> candidates;
  if (!schedule.ok()) return candidates;  // not an order: nothing can be said with it
  for (std::size_t k = 0; k < schedule->order.size(); ++k) {
    candidates.push_back({schedule->step_bytes[k], schedule->order[k]});
  }
  std::sort(candidates.begin(), candidates.end(), [](const Candidate& a, const Candidate& b) {
    return a.step_bytes != b.step_bytes ? a.step_bytes > b.step_bytes : a.op < b.op;
  });
  return candidates;
}

}  // namespace

Certificate LowerBound(const memory::StorageGraph& graph, const LowerBoundOptions& options) {
  Certificate best = ResidentBound(graph);
  if (Certificate largest = LargestOperatorBound(graph); largest.bytes > best.bytes) {
    best = std::move(largest);
  }
  if (best.bytes >= options.stop_at) return best;
  std::uint64_t work = options.max_work;
  OperatorCutter cutter(graph);
  for (const Candidate& candidate : Candidates(graph, options)) {
    if (candidate.step_bytes <= best.bytes || best.bytes >= options.stop_at) break;
    if (work == 0 || Interrupted()) break;
    std::uint64_t share = std::min(work, options.max_work / kMostPerOperator);
    work -= share;
    auto cut = cutter.Bound(candidate.op, best.bytes, share);
    work += share;
    if (!cut) continue;
    best.kind = Certificate::Kind::kOperatorCut;
    best.bytes = cut->bytes;
    best.op = candidate.op;
    best.executed = std::move(cut->executed);
  }
  return best;
}

}  // namespace opass::bounds
