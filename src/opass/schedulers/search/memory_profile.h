#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "opass/memory/problem.h"

namespace opass::schedulers {

// Sequences of operators that share their parts, so that joining two takes constant time.
class OpChains {
 public:
  using Chain = std::uint32_t;
  static constexpr Chain kEmpty = 0;

  Chain Of(memory::OpId op) {
    links_.push_back({static_cast<Chain>(op.index()), kOp});
    return static_cast<Chain>(links_.size());
  }
  Chain Join(Chain first, Chain then) {
    if (first == kEmpty) return then;
    if (then == kEmpty) return first;
    links_.push_back({first, then});
    return static_cast<Chain>(links_.size());
  }
  std::vector<memory::OpId> Flat(Chain chain) const;
  std::size_t size() const { return links_.size(); }

 private:
  static constexpr Chain kOp = 0xffffffff;      // `second` of a link that is one operator
  std::vector<std::pair<Chain, Chain>> links_;  // of chain i + 1
};

// Steps that a best order keeps together: live bytes rise to `hill_bytes` and end at `end_bytes`,
// both counted from the live bytes before the first segment of the profile.
struct ProfileSegment {
  std::int64_t hill_bytes = 0;
  std::int64_t end_bytes = 0;
  OpChains::Chain ops = OpChains::kEmpty;
};

// The live bytes of one order of some operators that share nothing with others, reduced to what
// matters to an order of all: the hill-valley segments of Liu (SIAM J. Alg. Disc. Meth. 1987). The
// first `num_falling` segments end lower and lower and need more and more; the last `num_rising`
// start higher and higher and need less and less; one between them (or none) ends where it starts,
// at the lowest point.
struct MemoryProfile {
  std::vector<ProfileSegment> segments;
  std::size_t num_falling = 0;
  std::size_t num_rising = 0;

  std::span<const ProfileSegment> falling() const { return std::span(segments).first(num_falling); }
  std::span<const ProfileSegment> rising() const { return std::span(segments).last(num_rising); }
  std::int64_t peak_bytes() const;
  std::int64_t end_bytes() const { return segments.empty() ? 0 : segments.back().end_bytes; }
};

// The profile of steps taken one after another.
MemoryProfile ProfileOf(std::span<const ProfileSegment> steps, OpChains& chains);

// The lowest point reached from the start over hills of at most `hill_bytes`.
std::int64_t LowestFromStart(const MemoryProfile& profile, std::int64_t hill_bytes);

// The best order of the segments of all profiles: its steps. For every budget it reaches the lowest
// point there is from the start and from the end.
std::vector<ProfileSegment> MergeProfiles(std::span<const MemoryProfile* const> profiles);

// Whether `a` is never worse than `b`, another order of the same operators, whatever independent
// operators are mixed in: within the hills that `b` climbs, `a` comes at least as low, from the
// start and from the end, and its peak is not higher.
bool Dominates(const MemoryProfile& a, const MemoryProfile& b);

}  // namespace opass::schedulers
