#include "opass/memory/judge_certificate.h"

#include <algorithm>
#include <set>
#include <utility>

#include "opass/memory/check_proof.h"
#include "opass/memory/check_split.h"
#include "opass/memory/check_state.h"
#include "opass/memory/search_again.h"

namespace opass::memory {
namespace {

using check::Between;
using check::Proof;
using Verdict = JudgedClaim::Verdict;

Verdict VerdictOf(Proof proof) {
  switch (proof) {
    case Proof::kNothing:
      return Verdict::kNothing;
    case Proof::kProved:
      return Verdict::kChecked;
    case Proof::kTooLarge:
      return Verdict::kTooLarge;
    case Proof::kTrusted:
      return Verdict::kTrusted;
  }
  return Verdict::kNothing;
}

class Judge {
 public:
  Judge(const check::Recount& recount, const check::Steps& steps, const JudgeOptions& options)
      : recount_(recount),
        steps_(steps),
        certificate_(recount.state().plan.certificate),
        options_(options),
        work_(check::kMaxWork - std::min(check::kMaxWork, options.max_work)) {}

  std::vector<JudgedClaim> Run() {
    JudgedClaim& whole = Add(JudgedClaim::About::kWhole, 0, steps_.size());
    whole.peak_bytes = recount_.state().plan.peak_bytes;
    whole.kind = certificate_.kind;
    whole.bytes = certificate_.bytes;
    // What the segments say, they say themselves.
    if (certificate_.kind != Bound::Kind::kSegments) JudgeBound(whole, certificate_);
    JudgeSplits();
    for (const Certificate::Segment& segment : certificate_.segments) {
      JudgedClaim& claim = Add(JudgedClaim::About::kSegment, segment.first, segment.last);
      claim.peak_bytes = segment.peak_bytes;
      claim.kind = segment.bound.kind;
      claim.bytes = segment.bound.bytes;
      JudgeBound(claim, segment.bound);
    }
    if (options_.prove && certificate_.segments.size() > 1 && IsConfirmed()) {
      JudgedClaim& again = Add(JudgedClaim::About::kWhole, 0, steps_.size());
      again.peak_bytes = recount_.state().plan.peak_bytes;
      again.kind = Bound::Kind::kSearch;
      again.bytes = certificate_.bytes;
      Prove(again);
    }
    return std::move(claims_);
  }

 private:
  // The bound rests on a search of a segment, which was confirmed; the whole is not smaller.
  bool IsConfirmed() const {
    return !IsCheckable(certificate_) &&
           std::any_of(claims_.begin(), claims_.end(), [&](const JudgedClaim& claim) {
             return claim.verdict == Verdict::kConfirmed && claim.bytes == certificate_.bytes;
           });
  }

  JudgedClaim& Add(JudgedClaim::About about, std::size_t first, std::size_t last) {
    JudgedClaim& claim = claims_.emplace_back();
    claim.about = about;
    claim.first = first;
    claim.last = last;
    return claim;
  }

  // Each within the two nearest ones listed before it.
  void JudgeSplits() {
    std::set<std::size_t> before{0, steps_.size()};
    for (const std::size_t at : certificate_.splits) {
      const auto next = before.insert(at).first;
      JudgedClaim& claim = Add(JudgedClaim::About::kSplit, *std::prev(next), *std::next(next));
      claim.split = at;
      claim.verdict = Verdict::kTooLarge;
      if (work_ > check::kMaxWork) continue;
      const std::uint64_t work_before = work_;
      const Result<bool> known = check::ProveSplit(recount_, steps_.Part(claim.first, claim.last),
                                                   steps_.Prefix(at), work_);
      claim.work = work_ - work_before;
      if (!known.ok()) {
        Refuse(claim, known.error());
      } else if (*known) {
        claim.verdict = Verdict::kChecked;
      }
    }
  }

  void JudgeBound(JudgedClaim& claim, const Bound& bound) {
    const std::uint64_t work_before = work_;
    const Result<Proof> proof =
        check::ProveBound(recount_, steps_.Part(claim.first, claim.last), bound, work_);
    claim.work = work_ - work_before;
    if (!proof.ok()) return Refuse(claim, proof.error());
    claim.verdict = VerdictOf(*proof);
    if (options_.prove && claim.verdict == Verdict::kTrusted) Prove(claim);
  }

  void Prove(JudgedClaim& claim) {
    check::SearchLimits limits;
    limits.max_states = std::min(options_.max_states, check::SearchLimits::kMostStates);
    limits.max_bytes = options_.max_bytes;
    const check::SearchedAgain again =
        check::SearchAgain(recount_, steps_.Part(claim.first, claim.last), claim.bytes - 1, limits);
    claim.states = again.states;
    switch (again.answer) {
      case check::SearchedAgain::Answer::kNoOrder:
        claim.verdict = Verdict::kConfirmed;
        break;
      case check::SearchedAgain::Answer::kTooLarge:
        claim.verdict = Verdict::kTooLarge;
        break;
      case check::SearchedAgain::Answer::kOrder:
        claim.verdict = Verdict::kRefused;
        claim.message = "there is an order that needs less";
        break;
    }
  }

  static void Refuse(JudgedClaim& claim, const Error& error) {
    claim.verdict = Verdict::kRefused;
    claim.message = error.ToString();
  }

  const check::Recount& recount_;
  const check::Steps& steps_;
  const Certificate& certificate_;
  const JudgeOptions& options_;
  std::uint64_t work_;
  std::vector<JudgedClaim> claims_;
};

}  // namespace

Result<std::vector<JudgedClaim>> JudgeCertificate(const Problem& problem, const Plan& plan,
                                                  const JudgeOptions& options) {
  OPASS_RETURN_IF_ERROR(Validate(problem));
  check::State state{problem, plan, {}, {}, {}, {}, {}};
  OPASS_RETURN_IF_ERROR(check::CheckOrder(state));
  OPASS_RETURN_IF_ERROR(check::CheckBuffers(state));
  OPASS_RETURN_IF_ERROR(check::CheckAliases(state));
  const check::Recount recount(state);
  OPASS_ASSIGN_OR_RETURN(const check::Steps steps, check::Steps::Read(recount));
  return Judge(recount, steps, options).Run();
}

}  // namespace opass::memory
