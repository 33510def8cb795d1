#pragma once

#include <string>
#include <vector>

#include "opass/memory/certificate.h"
#include "opass/memory/storage.h"
#include "opass/planner/planner.h"

namespace opass::planner {

struct NamedSchedule {
  std::string scheduler;
  memory::Schedule schedule;
};

struct OrderSearch {
  memory::Schedule file_order;
  std::vector<NamedSchedule> best;  // different orders, all of the least peak found
  std::vector<SchedulerPeak> tried;
  memory::Certificate bound;
};

// Runs the schedulers that `options` names and a lower bound.
Result<OrderSearch> SearchOrders(const memory::StorageGraph& graph, const PlanOptions& options);

// Orders of the same peak by the schedulers that SearchOrders did not need: another order may be
// placed with less waste.
Result<std::vector<NamedSchedule>> OtherOrders(const memory::StorageGraph& graph,
                                               const PlanOptions& options, OrderSearch& search);

}  // namespace opass::planner
