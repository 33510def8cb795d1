#pragma once

#include "opass/memory/check_least_live.h"

namespace opass::memory::check {

// Follows the splits of the certificate and proves each: some best order passes through the set,
// because neither a state between it and the operators that do not need one of its last operators,
// nor one between what one of the first others needs and it, has fewer live bytes. The
// certificate's bound is about the part that they leave in the end.
Status FollowSplits(const Recount& recount, Between& part);

}  // namespace opass::memory::check
