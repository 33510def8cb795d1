#include "opass/schedulers/search/segment_certificate.h"

#include <algorithm>
#include <utility>

#include "opass/bounds/operator_cut.h"

namespace opass::schedulers {
namespace {

using memory::Certificate;
using memory::OpId;

constexpr std::uint64_t kMaxCutWork = 40'000'000;

// What an operator needs by itself in a part it may not need in the whole: there, fewer storages
// are kept. A cut of the part says where it is needed.
void MakeCut(const Segment& segment, Certificate& certificate) {
  std::uint64_t work = kMaxCutWork;
  auto cut = bounds::OperatorCutter(segment.part->graph())
                 .Bound(certificate.op, certificate.bytes - 1, work);
  if (!cut) return;
  certificate.kind = Certificate::Kind::kOperatorCut;
  certificate.executed = std::move(cut->executed);
}

std::vector<OpId> FirstOps(const SplitOrder& split, std::size_t length) {
  return {split.order.begin(), split.order.begin() + static_cast<std::ptrdiff_t>(length)};
}

}  // namespace

Certificate InWhole(const Segment& segment, const SplitOrder& split) {
  Certificate whole = segment.bound;
  if (whole.kind == Certificate::Kind::kOperator) MakeCut(segment, whole);
  if (whole.op.valid()) whole.op = segment.part->origin(whole.op);
  const bool cut = whole.kind == Certificate::Kind::kOperatorCut && whole.op.valid();
  if (!cut && whole.kind != Certificate::Kind::kSearch) {
    // The bytes at an end of the part, or an operator of it that loads an input: no operator of the
    // whole says it, yet every search ends with it at once.
    whole = Certificate();
    whole.kind = Certificate::Kind::kSearch;
    whole.bytes = segment.bound.bytes;
    whole.search.budget_bytes = whole.bytes - 1;
  }
  const std::vector<OpId> inside = segment.part->InWhole(whole.executed);
  whole.executed = FirstOps(split, segment.first);
  whole.executed.insert(whole.executed.end(), inside.begin(), inside.end());
  std::sort(whole.executed.begin(), whole.executed.end());
  std::size_t first = 0;
  std::size_t last = split.order.size();
  for (const std::size_t at : split.splits) {
    if (at <= first || at >= last) continue;  // within a part that the segment is not in
    whole.splits.push_back(FirstOps(split, at));
    std::sort(whole.splits.back().begin(), whole.splits.back().end());
    (at <= segment.first ? first : last) = at;
  }
  return whole;
}

}  // namespace opass::schedulers
