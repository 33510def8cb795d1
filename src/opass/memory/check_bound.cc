#include <fmt/format.h>

#include "opass/memory/check_proof.h"
#include "opass/memory/check_state.h"

namespace opass::memory::check {
namespace {

// The splits that lead to a search may take so much work, which is the less useful as the search
// itself is believed; of a large graph they are believed, too.
constexpr std::uint64_t kWorkForSearches = 200'000'000;

// Only the bound that counts is proved; JudgeCertificate proves all.
Status CheckCertificate(const State& state) {
  const Certificate& certificate = state.plan.certificate;
  const Recount recount(state);
  OPASS_ASSIGN_OR_RETURN(const Steps steps, Steps::Read(recount));
  OPASS_RETURN_IF_ERROR(CheckFigures(certificate));
  const DecidingBound deciding = Deciding(certificate);
  std::uint64_t work = IsCheckable(certificate) ? 0 : kMaxWork - kWorkForSearches;
  Between part = steps.Part(0, steps.size());
  if (deciding.segment != nullptr) {
    OPASS_ASSIGN_OR_RETURN(const Proof splits,
                           ProveSplitsTo(recount, steps, *deciding.segment, work));
    if (splits == Proof::kTooLarge && IsCheckable(certificate)) {
      return Refuse("the graph is too large to prove the certificate's splits");
    }
    part = steps.Part(deciding.segment->first, deciding.segment->last);
  }
  OPASS_ASSIGN_OR_RETURN(const Proof proof, ProveBound(recount, part, *deciding.bound, work));
  if (proof == Proof::kTooLarge) {
    return Refuse("the graph is too large to prove the certificate");
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
