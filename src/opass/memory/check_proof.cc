#include "opass/memory/check_proof.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "opass/memory/check_cut.h"
#include "opass/memory/check_edges.h"
#include "opass/memory/check_split.h"

namespace opass::memory::check {
namespace {

Error ClaimsMore(const Bound& bound, std::int64_t proved) {
  return Refuse(fmt::format("the certificate claims {} bytes, it proves {}", bound.bytes, proved));
}

bool RunsIn(const Between& part, OpId op) {
  return op.index() < part.allowed.size() && part.allowed[op.index()] && !part.executed[op.index()];
}

Result<Proof> ProveResident(const Recount& recount, const Between& part, const Bound& bound,
                            std::uint64_t& work) {
  const auto before = LeastLive(recount, OpId(), {part.executed, part.executed}, kInfinite, work);
  const auto after = LeastLive(recount, OpId(), {part.allowed, part.allowed}, kInfinite, work);
  if (!before || !after) return Proof::kTooLarge;
  if (bound.bytes > std::max(*before, *after)) {
    return ClaimsMore(bound, std::max(*before, *after));
  }
  return Proof::kProved;
}

Result<Proof> ProveCut(const Recount& recount, const Between& part, const Bound& bound,
                       std::uint64_t& work) {
  const Problem& problem = recount.state().problem;
  std::vector<bool> done = part.executed;
  for (const OpId id : bound.executed) {
    if (!RunsIn(part, id) || done[id.index()]) {
      return Refuse("the certificate's cut names an operator twice or one that is not in the part");
    }
    done[id.index()] = true;
  }
  const auto complete = [&](OpId id) {
    return std::all_of(problem.op(id).inputs.begin(), problem.op(id).inputs.end(),
                       [&](ValueId input) {
                         const OpId producer = problem.value(input).producer;
                         return !producer.valid() || done[producer.index()];
                       });
  };
  for (const OpId id : bound.executed) {
    if (!complete(id)) {
      return Refuse("the certificate's cut has it without its inputs", problem.op(id).name);
    }
  }
  if (done[bound.op.index()] || !complete(bound.op)) {
    return Refuse("the operator cannot run in the certificate's cut", problem.op(bound.op).name);
  }
  const std::int64_t cost = recount.StepCost(bound.op, done);
  if (bound.bytes > cost) {
    return Refuse(
        fmt::format("the certificate claims {} bytes, its own cut needs {}", bound.bytes, cost));
  }
  const auto least = CheapestStep(recount, part, bound.op, bound.bytes, work);
  if (!least) return Proof::kTooLarge;
  if (*least < bound.bytes) {
    return Refuse(fmt::format("the certificate claims {} bytes, over all cuts {} can be proved",
                              bound.bytes, *least));
  }
  return Proof::kProved;
}

// That the search found nothing is believed; only what it says of itself must fit.
Result<Proof> BelieveSearch(const Bound& bound) {
  if (bound.search.budget_bytes >= bound.bytes || bound.search.nodes < 0 ||
      bound.search.implied_edges < 0) {
    return Refuse("the certificate's search does not show what it claims");
  }
  return Proof::kTrusted;
}

}  // namespace

Result<Proof> ProveBound(const Recount& recount, const Between& part, const Bound& bound,
                         std::uint64_t& work) {
  if (bound.bytes < 0) return Refuse("the certificate claims a negative number of bytes");
  switch (bound.kind) {
    case Bound::Kind::kNone:
      if (bound.bytes > 0) return Refuse("the plan has a lower bound but no certificate");
      return Proof::kNothing;
    case Bound::Kind::kResident:
      return ProveResident(recount, part, bound, work);
    case Bound::Kind::kSearch:
      return BelieveSearch(bound);
    case Bound::Kind::kContradiction: {
      OPASS_ASSIGN_OR_RETURN(const bool known, ProveContradiction(recount, part, bound, work));
      return known ? Proof::kProved : Proof::kTooLarge;
    }
    case Bound::Kind::kSegments:
      return Refuse("the certificate has no segments");
    case Bound::Kind::kOperator:
    case Bound::Kind::kOperatorCut:
      break;
  }
  if (!RunsIn(part, bound.op)) {
    return Refuse("the certificate names an unknown operator, or one that is not in its segment");
  }
  if (bound.kind == Bound::Kind::kOperatorCut) return ProveCut(recount, part, bound, work);
  const std::int64_t bytes = recount.Operator(bound.op, part.allowed);
  if (bound.bytes > bytes) return ClaimsMore(bound, bytes);
  return Proof::kProved;
}

Result<Proof> ProveSplitsTo(const Recount& recount, const Steps& steps,
                            const Certificate::Segment& segment, std::uint64_t& work) {
  std::size_t first = 0;
  std::size_t last = steps.size();
  for (const std::size_t at : recount.state().plan.certificate.splits) {
    if (at <= first || at >= last) continue;  // within a part that the segment is not in
    OPASS_ASSIGN_OR_RETURN(const bool known,
                           ProveSplit(recount, steps.Part(first, last), steps.Prefix(at), work));
    if (!known) return Proof::kTooLarge;
    (at <= segment.first ? first : last) = at;
  }
  return Proof::kProved;
}

Status CheckFigures(const Certificate& certificate) {
  std::int64_t most = 0;
  for (const Certificate::Segment& segment : certificate.segments) {
    most = std::max(most, segment.bound.bytes);
  }
  if (most > certificate.bytes ||
      (certificate.kind == Bound::Kind::kSegments && most != certificate.bytes)) {
    return Refuse(
        fmt::format("the certificate claims {} bytes, its segments {}", certificate.bytes, most));
  }
  return {};
}

}  // namespace opass::memory::check
