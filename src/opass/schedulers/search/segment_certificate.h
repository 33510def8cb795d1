#pragma once

#include <span>
#include <vector>

#include "opass/memory/certificate.h"
#include "opass/schedulers/search/segment.h"
#include "opass/schedulers/search/split.h"
#include "opass/schedulers/search/step_graph.h"

namespace opass::schedulers {

// The segments' best orders one after another: an order of the whole problem.
std::vector<memory::OpId> OrderOf(const SplitOrder& split, std::span<const Segment> segments);

// The certificate of the segments in terms of the whole problem; `order` is OrderOf. It says what
// is known of each segment, where that counts: kind kSegments, its bytes the largest of the bounds.
memory::Certificate CertificateOf(const StepGraph& whole, const SplitOrder& split,
                                  std::span<const Segment> segments,
                                  std::vector<memory::OpId> order);

}  // namespace opass::schedulers
