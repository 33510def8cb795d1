// The order of the file: what a naive runtime runs, and what every other order is measured against.

#include "opass/schedulers/scheduler.h"

namespace opass::schedulers {
namespace {

Result<std::vector<memory::OpId>> Run(const memory::StorageGraph& graph, const SchedulerOptions&) {
  std::vector<memory::OpId> order;
  for (std::size_t i = 0; i < graph.num_ops(); ++i) order.push_back(memory::OpId(i));
  return order;
}

}  // namespace

extern const Scheduler file_order;
const Scheduler file_order = {"file_order", "the order of the file", Run};

}  // namespace opass::schedulers
