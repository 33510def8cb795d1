#include <fmt/format.h>

#include <algorithm>

#include "opass/memory/check_cut.h"
#include "opass/memory/check_recount.h"
#include "opass/memory/check_split.h"
#include "opass/memory/check_state.h"

namespace opass::memory::check {
namespace {

Status CheckCut(const Recount& recount, const Between& part) {
  const Certificate& certificate = recount.state().plan.certificate;
  const Problem& problem = recount.state().problem;
  std::vector<bool> done(problem.ops.size(), false);
  for (const OpId id : certificate.executed) done[id.index()] = true;
  const bool complete = std::all_of(problem.op(certificate.op).inputs.begin(),
                                    problem.op(certificate.op).inputs.end(), [&](ValueId input) {
                                      const OpId producer = problem.value(input).producer;
                                      return !producer.valid() || done[producer.index()];
                                    });
  if (done[certificate.op.index()] || !complete) {
    return Refuse("the operator cannot run in the certificate's cut",
                  problem.op(certificate.op).name);
  }
  const std::int64_t cost = recount.StepCost(certificate.op, done);
  if (certificate.bytes > cost) {
    return Refuse(fmt::format("the certificate claims {} bytes, its own cut needs {}",
                              certificate.bytes, cost));
  }
  const auto least = CheapestStep(recount, part, certificate.op, certificate.bytes);
  if (!least) return Refuse("the graph is too large to prove the certificate's cut");
  if (*least < certificate.bytes) {
    return Refuse(fmt::format("the certificate claims {} bytes, over all cuts {} can be proved",
                              certificate.bytes, *least));
  }
  return {};
}

// That the search found nothing is believed; only what it says of itself must fit.
Status CheckSearch(const Certificate& certificate, const Between& part) {
  for (const OpId id : certificate.executed) {
    if (!part.executed[id.index()]) {
      return Refuse("the certificate's search does not begin where a split ends");
    }
  }
  if (certificate.search.budget_bytes >= certificate.bytes || certificate.search.nodes < 0 ||
      certificate.search.implied_edges < 0) {
    return Refuse("the certificate's search does not show what it claims");
  }
  return {};
}

Status CheckCertificate(const State& state) {
  const Certificate& certificate = state.plan.certificate;
  if (certificate.kind == Certificate::Kind::kNone) {
    if (certificate.bytes == 0) return {};
    return Refuse("the plan has a lower bound but no certificate");
  }
  const Recount recount(state);
  if (certificate.kind != Certificate::Kind::kResident &&
      certificate.kind != Certificate::Kind::kSearch &&
      certificate.op.index() >= state.problem.ops.size()) {
    return Refuse("the certificate names an unknown operator");
  }
  if (certificate.kind == Certificate::Kind::kOperatorCut ||
      certificate.kind == Certificate::Kind::kSearch) {
    Between part;
    OPASS_RETURN_IF_ERROR(FollowSplits(recount, part));
    return certificate.kind == Certificate::Kind::kSearch ? CheckSearch(certificate, part)
                                                          : CheckCut(recount, part);
  }
  const std::int64_t bytes = certificate.kind == Certificate::Kind::kResident
                                 ? recount.Resident()
                                 : recount.Operator(certificate.op);
  if (certificate.bytes > bytes) {
    return Refuse(
        fmt::format("the certificate claims {} bytes, it proves {}", certificate.bytes, bytes));
  }
  return {};
}

}  // namespace

Status CheckBound(const State& state) {
  const Plan& plan = state.plan;
  if (plan.lower_bound_bytes != plan.certificate.bytes) {
    return Refuse(fmt::format("lower_bound_bytes is {}, its certificate is for {}",
                              plan.lower_bound_bytes, plan.certificate.bytes));
  }
  if (plan.lower_bound_bytes < 0 || plan.lower_bound_bytes > plan.peak_bytes) {
    return Refuse(fmt::format("lower_bound_bytes is {}, yet the peak is {}", plan.lower_bound_bytes,
                              plan.peak_bytes));
  }
  if (plan.proven_optimal && plan.lower_bound_bytes != plan.peak_bytes) {
    return Refuse("it claims to be proven optimal, but its peak is not its lower bound");
  }
  return CheckCertificate(state);
}

}  // namespace opass::memory::check
