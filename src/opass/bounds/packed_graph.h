#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "opass/memory/storage.h"
#include "opass/support/rows.h"

namespace opass::bounds {

// What a cut asks of a StorageGraph, packed: it looks at a little of everything.
struct PackedGraph {
  struct StorageFacts {
    std::int64_t size_bytes = 0;
    memory::OpId producer;  // invalid: an input
    bool kept = false;
    bool arrives = false;  // an input that is born at its first reader
  };

  explicit PackedGraph(const memory::StorageGraph& graph);

  std::size_t num_ops() const { return predecessors.num_rows(); }
  std::size_t num_storages() const { return storages.size(); }

  std::vector<StorageFacts> storages;
  Rows<memory::OpId> readers;           // per storage
  Rows<memory::OpId> predecessors;      // per operator
  Rows<memory::OpId> successors;        // per operator
  Rows<memory::StorageId> outputs;      // per operator
  Rows<memory::StorageId> first_reads;  // per operator: the inputs it reads that arrive
};

}  // namespace opass::bounds
