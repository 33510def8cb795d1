#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "opass/memory/storage.h"
#include "opass/schedulers/search/byte_grid.h"
#include "opass/support/rows.h"

namespace opass::schedulers {

// What a search asks of a StorageGraph millions of times, packed.
struct StepGraph {
  struct StorageFacts {
    std::int64_t size_bytes = 0;
    std::uint32_t num_readers = 0;
    bool kept = false;
    bool arrives = false;  // an input that is born at its first reader
  };
  struct OpFacts {
    std::int64_t step_bytes = 0;     // all outputs and the workspace
    std::int64_t lasting_bytes = 0;  // the outputs that are live after the step
    // What a takeover saves when all candidates are of one output; 0 when there are none.
    std::int64_t saved_bytes = 0;
    bool several_takeovers = false;  // candidates for several outputs: a matching decides
  };

  // `graph` must outlive this.
  explicit StepGraph(const memory::StorageGraph& graph);

  std::size_t num_ops() const { return ops.size(); }

  const memory::StorageGraph& graph;
  std::vector<StorageFacts> storages;
  std::vector<OpFacts> ops;
  Rows<memory::StorageId> inputs;     // per operator
  Rows<memory::StorageId> takeovers;  // per operator: the inputs that an output may take over
  Rows<memory::OpId> readers;         // per storage
  Rows<memory::OpId> predecessors;    // per operator
  Rows<memory::OpId> successors;      // per operator
  std::int64_t first_bytes = 0;       // live before the first step
  std::int64_t last_bytes = 0;        // live after the last step
  ByteGrid grid;                      // of the bytes live during and between steps
};

}  // namespace opass::schedulers
