#include "opass/schedulers/search/segment_certificate.h"

#include <algorithm>
#include <utility>

#include "opass/schedulers/search/step_state.h"

namespace opass::schedulers {
namespace {

using memory::Bound;
using memory::OpId;

// The checker proves the cut of an operator, or precedences, behind splits again; on larger
// problems that takes too long.
constexpr std::size_t kMaxOpsForCutsOfParts = 3000;

// What only a search can show: of nothing, when it would end at once.
Bound AsSearch(Bound bound) {
  bound.kind = Bound::Kind::kSearch;
  bound.op = OpId();
  bound.executed.clear();
  bound.edges.clear();
  if (bound.search.budget_bytes == 0) bound.search.budget_bytes = bound.bytes - 1;
  return bound;
}

// Operators of the part in those of the whole; a search in place of a reason that is about the
// arrival of an input, for which the whole has no operator.
Bound InWhole(const Part& part, const Bound& bound) {
  Bound whole = bound;
  if (bound.op.valid()) whole.op = part.origin(bound.op);
  bool known = bound.op.valid() == whole.op.valid();
  whole.executed = part.InWhole(bound.executed);
  std::sort(whole.executed.begin(), whole.executed.end());
  for (Bound::Edge& edge : whole.edges) {
    edge = {part.origin(edge.first), part.origin(edge.then), part.origin(edge.cut)};
    known = known && edge.first.valid() && edge.then.valid();
  }
  return known ? whole : AsSearch(std::move(whole));
}

}  // namespace

std::vector<OpId> OrderOf(const SplitOrder& split, std::span<const Segment> segments) {
  std::vector<OpId> order;
  for (const Segment& segment : segments) {
    const auto begin = split.order.begin();
    std::vector<OpId> ops(begin + static_cast<std::ptrdiff_t>(segment.first),
                          begin + static_cast<std::ptrdiff_t>(segment.last));
    if (segment.part) ops = segment.part->InWhole(segment.order);
    order.insert(order.end(), ops.begin(), ops.end());
  }
  return order;
}

memory::Certificate CertificateOf(const StepGraph& whole, const SplitOrder& split,
                                  std::span<const Segment> segments, std::vector<OpId> order) {
  memory::Certificate certificate;
  certificate.kind = Bound::Kind::kSegments;
  certificate.splits = split.splits;
  StepState state(whole, Direction::kForward);
  for (const Segment& segment : segments) {
    memory::Certificate::Segment& made = certificate.segments.emplace_back();
    made.first = segment.first;
    made.last = segment.last;
    for (std::size_t k = segment.first; k < segment.last; ++k) {
      made.peak_bytes = std::max(made.peak_bytes, state.Cost(order[k]).step_bytes);
      state.Take(order[k]);
    }
    if (segment.bound.kind == Bound::Kind::kNone) continue;
    Bound bound = InWhole(*segment.part, segment.bound);
    if (bound.kind != Bound::Kind::kSearch && order.size() > kMaxOpsForCutsOfParts) continue;
    certificate.bytes = std::max(certificate.bytes, bound.bytes);
    made.bound = std::move(bound);
  }
  certificate.order = std::move(order);
  return certificate;
}

}  // namespace opass::schedulers
