#include "opass/memory/check_cut.h"

#include <algorithm>

namespace opass::memory::check {
namespace {

constexpr std::size_t kMaxCandidates = 6;  // all subsets of them are tried

// The sets of the part in which all other readers of the families are done, so that they die at the
// operator.
Between WithReadersDone(const Recount& recount, Between part, OpId op,
                        const std::vector<std::size_t>& families) {
  for (const std::size_t family : families) {
    for (const OpId reader : recount.readers(family)) {
      if (reader != op) part.executed[reader.index()] = true;
    }
  }
  return part;
}

}  // namespace

std::optional<std::int64_t> CheapestStep(const Recount& recount, const Between& part, OpId op,
                                         std::int64_t claimed, std::uint64_t& work) {
  const std::int64_t own = recount.OwnBytes(op);
  const auto least_live = [&](const std::vector<std::size_t>& dying, std::int64_t enough) {
    return LeastLive(recount, op, WithReadersDone(recount, part, op, dying), enough, work);
  };
  const auto gain = [&](const std::vector<std::size_t>& dying) {
    return recount.Gain(op, [&](std::size_t family) {
      return std::find(dying.begin(), dying.end(), family) != dying.end();
    });
  };
  std::vector<std::size_t> candidates = recount.Candidates(op);
  std::erase_if(candidates, [&](std::size_t family) {  // those that cannot die at `op`
    return least_live({family}, 0) == kInfinite;
  });
  const std::int64_t most_gain = gain(candidates);
  const auto live = least_live({}, claimed - own + most_gain);
  if (!live) return std::nullopt;
  // As if the outputs took over all they can in every state: enough for most claims.
  const std::int64_t proved = own + *live - most_gain;
  if (proved >= claimed || candidates.empty()) return proved;
  const bool one_output = recount.NumTakers(op) == 1;
  if (!one_output && candidates.size() > kMaxCandidates) return proved;
  // Of one output it does not matter how many of them die, but that one does.
  std::vector<std::vector<std::size_t>> dying_sets{{}};
  for (const std::size_t candidate : candidates) {
    const std::size_t count = one_output ? 1 : dying_sets.size();
    for (std::size_t i = 0; i < count; ++i) {
      dying_sets.push_back(dying_sets[i]);
      dying_sets.back().push_back(candidate);
    }
  }
  std::int64_t least = kInfinite;
  for (const std::vector<std::size_t>& dying : dying_sets) {
    const std::int64_t saved = gain(dying);
    const auto bytes = least_live(dying, claimed - own + saved);
    if (!bytes) return std::nullopt;
    if (*bytes < kInfinite) least = std::min(least, own + *bytes - saved);
  }
  return least;
}

}  // namespace opass::memory::check
