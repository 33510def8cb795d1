#pragma once

#include <cstdint>

#include "opass/memory/problem.h"

namespace opass::memory::testing {

struct RandomProblemOptions {
  int min_ops = 1;
  int max_ops = 10;
  std::int64_t max_size_bytes = 200;
};

// A valid problem drawn from `seed`: the same on every machine. Each seed also draws how much there
// is of what: views (of views, split pieces, empty), takeovers, several, no or dead outputs, kept
// and preserved inputs, values outside the arena, workspace, alignments, both ways inputs arrive.
Problem RandomProblem(std::uint64_t seed, const RandomProblemOptions& options = {});

}  // namespace opass::memory::testing
