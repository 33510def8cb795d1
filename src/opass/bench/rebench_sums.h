#pragma once

#include "opass/bench/rebench_part.h"

namespace opass::bench {

// The papers' table: tensors without reuse, published and ours; and why the counts differ.
Result<PartReport> RebenchSums(const RebenchSettings& settings);

}  // namespace opass::bench
