#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "opass/ir/tensor.h"
#include "opass/runtime/node_session.h"

namespace opass::runtime {

// Where a run in the arena first differed from the same nodes with every value in its own memory.
struct Difference {
  std::int64_t step = 0;
  std::string node;  // the node that wrote the value, or was about to read it
  std::string value;
  // True: the value was right when it was written, and changed before the node could read it (or
  // before the end, when the node is empty).
  bool overwritten = false;
  bool in_arena = false;  // false: a value of the runtime's own memory
  std::int64_t offset_bytes = 0;
  std::int64_t byte = 0;  // the first byte that differs, from the start of the value
  const void* arena_address = nullptr;
  const void* reference_address = nullptr;
  std::vector<std::string> also_there;  // other values planned into the same bytes meanwhile

  std::string ToString() const;
};

// A node whose kernel takes as much memory beside its outputs as they have.
struct HollowNode {
  std::string node;
  std::int64_t scratch_bytes = 0;
  std::int64_t output_bytes = 0;
};

struct RunReport {
  std::optional<CannotRun> cannot_run;           // when set, nothing below is
  std::map<std::string, ir::TensorPtr> outputs;  // tensors only; empty after a difference
  bool bit_equal = false;                        // false as well when the run was not in lockstep
  bool compared = false;
  std::optional<Difference> difference;

  // Per operator of the problem: the bytes its kernel takes beside inputs and outputs, as a region
  // that would serve all of them. 0 where the runtime allocates an output itself.
  std::vector<std::int64_t> scratch_bytes;
  std::int64_t runtime_scratch_bytes = 0;  // the maximum, and whose it is
  std::string runtime_scratch_node;
  std::vector<HollowNode> hollow;
  // High-water mark of the runtime's memory that no planned bytes served: scratch without a
  // workspace in the plan, and values outside of the arena.
  std::int64_t outside_bytes = 0;
  std::int64_t outside_allocations = 0;
  double seconds = 0;  // of the run in the arena alone
};

}  // namespace opass::runtime
