#pragma once

#include "opass/memory/check_least_live.h"
#include "opass/support/result.h"

namespace opass::memory::check {

// Proves that some best order of the part passes through `split`, a set between its two ends that
// is closed under what operators need: neither a state between it and the operators that do not
// need one of its last operators, nor one between what one of the first others needs and it, has
// fewer live bytes. False: out of work, nothing is known.
Result<bool> ProveSplit(const Recount& recount, const Between& part, const std::vector<bool>& split,
                        std::uint64_t& work);

}  // namespace opass::memory::check
