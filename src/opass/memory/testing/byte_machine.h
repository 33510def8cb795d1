#pragma once

#include <cstdint>

#include "opass/memory/plan.h"
#include "opass/memory/problem.h"

// A judge of plans for tests: the bytes themselves. It shares nothing with memory::Check but the
// structs. `problem` has only the sharing that the plan uses (ApplySharing); every value has one
// buffer inside the arena.
namespace opass::memory::testing {

// Runs the plan: paints every byte with the value that owns it and looks at it again at every read.
// Storage lives as a whole until its last reader; an input that is taken over keeps what its
// successor leaves of it until the step is over.
bool RunsOnBytes(const Problem& problem, const Plan& plan);

// The most distinct bytes that belong to somebody at one step.
std::int64_t BytesAtPeak(const Problem& problem, const Plan& plan);

}  // namespace opass::memory::testing
