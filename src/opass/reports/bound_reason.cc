#include "opass/reports/bound_reason.h"

namespace opass::reports {

std::string BoundReason(const memory::Certificate& certificate,
                        const std::function<std::string(memory::OpId)>& name_of) {
  const memory::DecidingBound deciding = memory::Deciding(certificate);
  const memory::Bound& bound = *deciding.bound;
  switch (bound.kind) {
    case memory::Bound::Kind::kNone:
    case memory::Bound::Kind::kSegments:
      return "";
    case memory::Bound::Kind::kResident:
      return deciding.segment == nullptr ? "the inputs or the outputs of the graph"
                                         : "what has to stay live between two parts of the steps";
    case memory::Bound::Kind::kOperator:
      return name_of(bound.op) + ": its inputs and outputs";
    case memory::Bound::Kind::kOperatorCut:
      return name_of(bound.op) + ": the least that can be live while it runs";
    case memory::Bound::Kind::kContradiction:
      return "precedences that a smaller budget asks for and nothing can keep";
    case memory::Bound::Kind::kSearch:
      return "a search of all orders";
  }
  return "";
}

}  // namespace opass::reports
