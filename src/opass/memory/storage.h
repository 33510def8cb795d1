#pragma once

#include <cstdint>
#include <vector>

#include "opass/memory/problem.h"
#include "opass/memory/schedule.h"

// The form in which schedulers, bounds and allocators see a Problem: views are merged into the
// storage they share (design: "Sharing of storage" in docs/memory_model.md). The checker does not
// use it; it reads the Problem itself.
namespace opass::memory {

using StorageId = Id<struct StorageTag>;

// Bytes that live and die together: a value and all views of it.
struct Storage {
  ValueId root;
  std::int64_t size_bytes = 0;  // rounded up to the alignment
  OpId producer;                // invalid: an input
  std::vector<OpId> readers;    // through any alias, ascending, no duplicates; producer excluded
  bool kept = false;            // an output or a preserved input through some alias
};

// `output` may take over `input`; sizes fit (output <= input) and `input` is not kept.
struct Takeover {
  StorageId output;
  StorageId input;
  InPlace pair;  // the values, preferred first
};

struct StorageOp {
  std::vector<StorageId> inputs;     // no duplicates, zero-size and outside storages left out
  std::vector<StorageId> outputs;    // roots it produces; views produce none
  std::vector<Takeover> takeovers;   // no (output, input) twice; none of an input that op views
  std::int64_t workspace_bytes = 0;  // rounded up to the alignment
  std::vector<OpId> predecessors;    // direct, no duplicates, ascending
  std::vector<OpId> successors;      // the same, backwards
};

class StorageGraph {
 public:
  // `problem` must be valid and outlive the graph.
  explicit StorageGraph(const Problem& problem);

  const Problem& problem() const { return *problem_; }
  std::size_t num_ops() const { return ops_.size(); }
  std::size_t num_storages() const { return storages_.size(); }
  const StorageOp& op(OpId id) const { return ops_[id.index()]; }
  const Storage& storage(StorageId id) const { return storages_[id.index()]; }
  // Invalid for values outside the arena and of size 0.
  StorageId storage_of(ValueId id) const { return storage_of_[id.index()]; }
  // Where the value starts in its storage; 0 for roots.
  std::int64_t offset_in_storage(ValueId id) const { return offset_in_storage_[id.index()]; }

 private:
  void MakeStorages();
  void ReadOp(OpId id);
  void AddPredecessors(OpId id);
  void AddTakeovers(OpId id);

  const Problem* problem_;
  std::vector<Storage> storages_;
  std::vector<StorageOp> ops_;
  std::vector<StorageId> storage_of_;
  std::vector<std::int64_t> offset_in_storage_;
};

// True when the storage occupies bytes at some time: all but inputs that nobody reads or keeps.
inline bool IsUsed(const Storage& storage) {
  return storage.producer.valid() || storage.kept || !storage.readers.empty();
}

// The bytes live at every step of a topological order, with the takeovers chosen at each step by
// maximum weight. Error: not a permutation of the operators, or an operator before its inputs.
Result<Schedule> Evaluate(const StorageGraph& graph, std::vector<OpId> order);

}  // namespace opass::memory
