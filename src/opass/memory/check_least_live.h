#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "opass/memory/check_flow.h"
#include "opass/memory/check_recount.h"

namespace opass::memory::check {

// The sets of executed operators that hold all of `executed` and nothing but `allowed`; a part of
// the steps.
struct Between {
  std::vector<bool> executed;  // per operator
  std::vector<bool> allowed;
  std::span<const Bound::Edge> edges = {};  // that the sets respect as well
};

// The least live bytes over these sets, those that are closed under what operators need; with a
// valid `running`, over those in which it can run next, with the inputs that arrive at it. Or a
// number >= `enough`. kInfinite when there is no such set, none when out of work: adds to `work`
// the arcs looked at, up to a fixed amount that takes seconds.
std::optional<std::int64_t> LeastLive(const Recount& recount, OpId running, Between between,
                                      std::int64_t enough, std::uint64_t& work);

}  // namespace opass::memory::check
