#pragma once

#include "opass/bench/rebench_part.h"

namespace opass::bench {

// Imports every graph and compares it with its execution in TVM: type and shape of every variable,
// mean and length of every variable, and every output. The gradients of the training graph, for
// which there are no such data, must be finite and agree with finite differences.
Result<PartReport> RebenchCorrect(const RebenchSettings& settings);

}  // namespace opass::bench
