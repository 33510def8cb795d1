#include "opass/memory/testing/simple_plan.h"

#include <cstdlib>

#include "opass/memory/buffers.h"
#include "opass/memory/storage.h"

namespace opass::memory::testing {

std::vector<OpId> FileOrder(const Problem& problem) {
  std::vector<OpId> order;
  for (std::size_t i = 0; i < problem.ops.size(); ++i) order.push_back(OpId(i));
  return order;
}

Plan SimplePlan(const Problem& problem, std::vector<OpId> order) {
  const StorageGraph graph(problem);
  const Result<Schedule> schedule = Evaluate(graph, std::move(order));
  if (!schedule.ok()) std::abort();
  Placement placement;
  placement.storage_offsets.resize(graph.num_storages());
  placement.workspace_offsets.resize(graph.num_ops());
  std::int64_t end = 0;
  const auto place = [&](StorageId id) {
    const ValueId taken = schedule->takes_over[graph.storage(id).root.index()];
    std::int64_t& offset = placement.storage_offsets[id.index()];
    if (taken.valid()) {
      offset = placement.storage_offsets[graph.storage_of(taken).index()] +
               graph.offset_in_storage(taken);
    } else if (IsUsed(graph.storage(id))) {
      offset = end;
      end += graph.storage(id).size_bytes;
    }
  };
  for (std::size_t i = 0; i < graph.num_storages(); ++i) {
    if (!graph.storage(StorageId(i)).producer.valid()) place(StorageId(i));
  }
  for (std::size_t i = 0; i < graph.num_ops(); ++i) {  // the sources of a takeover come first
    for (const StorageId output : graph.op(OpId(i)).outputs) place(output);
    placement.workspace_offsets[i] = end;
    end += graph.op(OpId(i)).workspace_bytes;
  }
  Plan plan;
  plan.target = "generic";
  plan.alignment = problem.alignment;
  plan.inputs = problem.inputs;
  plan.order = schedule->order;
  plan.buffers = MakeBuffers(graph, *schedule, placement);
  plan.arena_bytes = ArenaBytes(plan.buffers);
  plan.peak_bytes = schedule->peak_bytes;
  plan.file_order_peak_bytes = schedule->peak_bytes;
  plan.sum_bytes = SumBytes(problem);
  plan.sum_with_weights_bytes = plan.sum_bytes;
  for (const Value& value : problem.values) {
    if (!value.in_arena) plan.unplanned_values.push_back(value.name);
  }
  return plan;
}

Plan SimplePlan(const Problem& problem) { return SimplePlan(problem, FileOrder(problem)); }

}  // namespace opass::memory::testing
