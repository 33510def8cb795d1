#pragma once

#include "opass/memory/certificate.h"
#include "opass/memory/storage.h"

namespace opass::bounds {

// The bytes live before the first or after the last step, whichever are more: no order changes
// them. Kind kResident.
memory::Certificate ResidentBound(const memory::StorageGraph& graph);

// The most that one operator needs by itself: inputs, outputs and workspace, less the most that its
// outputs can take over. Kind kOperator; kNone for a problem without operators.
memory::Certificate LargestOperatorBound(const memory::StorageGraph& graph);

}  // namespace opass::bounds
