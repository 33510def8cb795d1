#pragma once

#include <cstdint>
#include <vector>

#include "opass/memory/problem.h"

// An oracle for tests: the memory model once more, read off the Problem with bit masks and tried
// exhaustively. It shares no code with storage.h and Evaluate.
namespace opass::memory::testing {

inline constexpr std::size_t kMaxBruteForceOps = 16;

// The least peak over all orders, by dynamic programming over the sets of executed operators:
// 2^ops states; meant for at most 12, and never more than kMaxBruteForceOps.
std::int64_t BruteForcePeak(const Problem& problem);

// The peak of one topological order of at most 64 operators.
std::int64_t OraclePeak(const Problem& problem, const std::vector<OpId>& order);

}  // namespace opass::memory::testing
