#pragma once

#include <cstdint>
#include <optional>

#include "opass/memory/check_least_live.h"

namespace opass::memory::check {

// The least that running `op` can cost, over all sets of the part that may have run before it, or
// any number >= `claimed` when that is not below `claimed`. Where several outputs may take over
// more values than can be tried one by one, what is proved may be less than the least. None:
// nothing is known within the work that LeastLive does.
std::optional<std::int64_t> CheapestStep(const Recount& recount, const Between& part, OpId op,
                                         std::int64_t claimed, std::uint64_t& work);

}  // namespace opass::memory::check
