#pragma once

#include "opass/memory/certificate.h"
#include "opass/schedulers/search/segment.h"
#include "opass/schedulers/search/split.h"

namespace opass::schedulers {

// The certificate of the segment's bound in terms of the whole problem, with those of the splits
// that lead to it.
memory::Certificate InWhole(const Segment& segment, const SplitOrder& split);

}  // namespace opass::schedulers
