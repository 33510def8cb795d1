#pragma once

#include "opass/memory/check_least_live.h"
#include "opass/memory/check_steps.h"
#include "opass/support/result.h"

namespace opass::memory::check {

enum class Proof {
  kNothing,   // nothing is claimed
  kProved,    // computed again
  kTooLarge,  // not computed: out of work
  kTrusted,   // a search, whose word is taken
};

// Proves a bound of the part. Error: it is not one.
Result<Proof> ProveBound(const Recount& recount, const Between& part, const Bound& bound,
                         std::uint64_t& work);

// Proves the splits that lead to the segment, one within the part that those before it leave.
Result<Proof> ProveSplitsTo(const Recount& recount, const Steps& steps,
                            const Certificate::Segment& segment, std::uint64_t& work);

// What the certificate says of its figures as a whole: every segment's bound is at most its bytes,
// and one is equal if it says so.
Status CheckFigures(const Certificate& certificate);

}  // namespace opass::memory::check
