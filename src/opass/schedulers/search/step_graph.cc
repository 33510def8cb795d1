#include "opass/schedulers/search/step_graph.h"

#include <numeric>

namespace opass::schedulers {

using memory::OpId;
using memory::Storage;
using memory::StorageId;
using memory::StorageOp;

namespace {

StepGraph::OpFacts Facts(const memory::StorageGraph& graph, const StorageOp& op) {
  StepGraph::OpFacts facts;
  facts.step_bytes = op.workspace_bytes;
  for (const StorageId output : op.outputs) {
    const Storage& storage = graph.storage(output);
    facts.step_bytes += storage.size_bytes;
    if (storage.kept || !storage.readers.empty()) facts.lasting_bytes += storage.size_bytes;
  }
  for (const memory::Takeover& takeover : op.takeovers) {
    facts.several_takeovers |= takeover.output != op.takeovers.front().output;
    facts.saved_bytes = graph.storage(takeover.output).size_bytes;
  }
  return facts;
}

ByteGrid GridOf(const StepGraph& steps) {
  std::int64_t always_bytes = 0;
  std::int64_t unit_bytes = 0;
  for (std::size_t i = 0; i < steps.storages.size(); ++i) {
    const StepGraph::StorageFacts& facts = steps.storages[i];
    const bool always =
        facts.kept && !facts.arrives && !steps.graph.storage(StorageId(i)).producer.valid();
    always_bytes += always ? facts.size_bytes : 0;
    unit_bytes = std::gcd(unit_bytes, always ? 0 : facts.size_bytes);
  }
  for (std::size_t i = 0; i < steps.num_ops(); ++i) {
    unit_bytes = std::gcd(unit_bytes, steps.graph.op(OpId(i)).workspace_bytes);
  }
  return ByteGrid(always_bytes, unit_bytes);
}

}  // namespace

StepGraph::StepGraph(const memory::StorageGraph& storage_graph) : graph(storage_graph) {
  const bool first_use = graph.problem().inputs == memory::InputArrival::kFirstUse;
  for (std::size_t i = 0; i < graph.num_storages(); ++i) {
    const Storage& storage = graph.storage(StorageId(i));
    StorageFacts facts;
    facts.size_bytes = storage.size_bytes;
    facts.num_readers = static_cast<std::uint32_t>(storage.readers.size());
    facts.kept = storage.kept;
    facts.arrives = first_use && !storage.producer.valid() && !storage.readers.empty();
    if (!storage.producer.valid() && !facts.arrives && IsUsed(storage)) {
      first_bytes += storage.size_bytes;
    }
    if (storage.kept) last_bytes += storage.size_bytes;
    storages.push_back(facts);
    readers.Append(storage.readers);
  }
  std::vector<StorageId> row;
  for (std::size_t i = 0; i < graph.num_ops(); ++i) {
    const StorageOp& op = graph.op(OpId(i));
    ops.push_back(Facts(graph, op));
    row.clear();
    for (const memory::Takeover& takeover : op.takeovers) row.push_back(takeover.input);
    inputs.Append(op.inputs);
    takeovers.Append(row);
    predecessors.Append(op.predecessors);
    successors.Append(op.successors);
  }
  grid = GridOf(*this);
}

}  // namespace opass::schedulers
