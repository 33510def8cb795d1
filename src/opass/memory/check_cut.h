#pragma once

#include <cstdint>

#include "opass/memory/check_recount.h"

namespace opass::memory::check {

// The least that running `op` can cost, over all sets of operators that may have run before it, or
// any number >= `claimed` when that is not below `claimed`. A plain maximum flow, apart from the
// one that finds bounds. Beyond a fixed amount of work it gives up and answers `claimed`.
std::int64_t CheapestStep(const Recount& recount, OpId op, std::int64_t claimed);

}  // namespace opass::memory::check
