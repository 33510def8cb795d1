#include "opass/bounds/packed_graph.h"

namespace opass::bounds {

using memory::OpId;
using memory::Storage;
using memory::StorageId;
using memory::StorageOp;

PackedGraph::PackedGraph(const memory::StorageGraph& graph) {
  const bool first_use = graph.problem().inputs == memory::InputArrival::kFirstUse;
  for (std::size_t i = 0; i < graph.num_storages(); ++i) {
    const Storage& storage = graph.storage(StorageId(i));
    const bool arrives = first_use && !storage.producer.valid() && !storage.readers.empty();
    storages.push_back({storage.size_bytes, storage.producer, storage.kept, arrives});
    readers.Append(storage.readers);
  }
  std::vector<StorageId> arriving;
  for (std::size_t i = 0; i < graph.num_ops(); ++i) {
    const StorageOp& op = graph.op(OpId(i));
    predecessors.Append(op.predecessors);
    successors.Append(op.successors);
    outputs.Append(op.outputs);
    arriving.clear();
    for (const StorageId input : op.inputs) {
      if (storages[input.index()].arrives) arriving.push_back(input);
    }
    first_reads.Append(arriving);
  }
}

}  // namespace opass::bounds
