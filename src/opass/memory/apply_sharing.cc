#include "opass/memory/apply_sharing.h"

namespace opass::memory {

Problem ApplySharing(Problem problem, const Sharing& sharing) {
  if (!sharing.view) {
    for (Value& value : problem.values) value.view.reset();
  }
  if (!sharing.in_place) {
    for (Op& op : problem.ops) op.in_place.clear();
  }
  return problem;
}

}  // namespace opass::memory
