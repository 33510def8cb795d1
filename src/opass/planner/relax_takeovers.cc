#include "opass/planner/relax_takeovers.h"

namespace opass::planner {

memory::Schedule RelaxTakeovers(const memory::StorageGraph& graph, memory::Schedule schedule) {
  for (std::size_t k = 0; k < schedule.order.size(); ++k) {
    for (const memory::StorageId output : graph.op(schedule.order[k]).outputs) {
      const memory::Storage& storage = graph.storage(output);
      memory::ValueId& taken = schedule.takes_over[storage.root.index()];
      const std::int64_t without = schedule.step_bytes[k] + storage.size_bytes;
      if (!taken.valid() || without > schedule.peak_bytes) continue;
      schedule.step_bytes[k] = without;
      taken = memory::ValueId();
    }
  }
  return schedule;
}

}  // namespace opass::planner
