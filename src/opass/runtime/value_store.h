#pragma once

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "opass/ir/graph.h"
#include "opass/ort/value.h"
#include "opass/runtime/node_session.h"
#include "opass/support/result.h"

namespace opass::runtime {

// 64-byte aligned memory that is freed with its owner.
struct FreeMemory {
  void operator()(std::byte* memory) const { std::free(memory); }
};
using Memory = std::unique_ptr<std::byte[], FreeMemory>;
Memory AllocateMemory(std::int64_t size_bytes);

// The values of a graph while it runs node by node, each in memory of its own.
class ValueStore {
 public:
  explicit ValueStore(const ir::Graph& graph) : graph_(&graph), slots_(graph.num_values()) {}

  // Takes a copy of the tensor.
  Status Set(ir::ValueId id, const ir::Tensor& tensor);
  // Takes a value the runtime made.
  void Put(ir::ValueId id, ort::Value value) { slots_[id.index()] = {nullptr, std::move(value)}; }
  // Uninitialized memory for a tensor whose type is known in full and not made of strings.
  // False: the type is not such, and the value stays null.
  Result<bool> Reserve(ir::ValueId id);
  void Release(ir::ValueId id) { slots_[id.index()] = {}; }

  // Null when the value is not there (an empty optional is null as well).
  ort::OrtValue* get(ir::ValueId id) const { return slots_[id.index()].value.get(); }
  // The memory of a value made by Set or Reserve, else null.
  std::byte* memory(ir::ValueId id) const { return slots_[id.index()].memory.get(); }

  // Runs the node on the values of the store; its outputs become new values.
  Status Run(NodeSession& session);

 private:
  struct Slot {
    Memory memory;
    ort::Value value;  // after the memory: released first
  };

  const ir::Graph* graph_;
  std::vector<Slot> slots_;
};

// Size of a value that can be placed in planned memory: a tensor of static shape and fixed width.
std::optional<std::int64_t> PlannableBytes(const ir::Value& value);

// For every value, the position in `order` of its last reader; -1 when nobody reads it; the number
// of nodes when it is an output.
std::vector<std::int64_t> LastUses(const ir::Graph& graph, std::span<const ir::NodeId> order);

}  // namespace opass::runtime
