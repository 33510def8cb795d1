#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace opass::orchestrator {

// The p-norm (p = 24) of the memory at every step, as a mean over `num_steps` steps, and at most
// the largest: large steps count, all of them, so that two peaks of one height are worse than one.
// `num_steps` is the same for all states of a search: divided by its own number of steps a graph
// would look the better the more small steps it has. Only additions, multiplications, divisions and
// square roots, which IEEE 754 rounds alike on every machine.
double PowerMean(std::span<const std::int64_t> step_bytes, std::size_t num_steps);

}  // namespace opass::orchestrator
