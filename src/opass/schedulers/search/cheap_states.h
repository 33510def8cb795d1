#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "opass/memory/storage.h"

namespace opass::schedulers {

class OpSet {
 public:
  explicit OpSet(std::size_t num_ops) : words_((num_ops + 63) / 64, 0) {}

  bool Holds(memory::OpId op) const { return (words_[op.index() / 64] >> (op.index() % 64)) & 1; }
  void Insert(memory::OpId op) { words_[op.index() / 64] |= std::uint64_t{1} << (op.index() % 64); }
  void InsertAllOf(const OpSet& other) {
    for (std::size_t i = 0; i < words_.size(); ++i) words_[i] |= other.words_[i];
  }
  void InsertAllBut(const OpSet& other) {
    for (std::size_t i = 0; i < words_.size(); ++i) words_[i] |= ~other.words_[i];
  }

 private:
  std::vector<std::uint64_t> words_;
};

// Sets of executed operators with few bytes live that cuts have found lately. One that an operator
// can run in says of all others at once that they may be executed by then, or may wait: a look at
// it saves a cut for each.
class CheapStates {
 public:
  // Of the graph's operators; it must outlive this.
  explicit CheapStates(const memory::StorageGraph& graph) : graph_(graph) {}

  // `executed` is closed under predecessors and leaves `live_bytes` live.
  const OpSet& Add(std::span<const memory::OpId> executed, std::int64_t live_bytes);

  struct Sides {
    OpSet executed;  // in one of the states
    OpSet waiting;   // not in one of the states
  };
  // Of the states that `op` can run in and that leave at most `most_bytes` live.
  Sides SidesWithin(memory::OpId op, std::int64_t most_bytes) const;

 private:
  struct State {
    OpSet executed;
    std::int64_t live_bytes;
  };

  const memory::StorageGraph& graph_;
  std::vector<State> states_;
  std::size_t oldest_ = 0;  // once there are as many as are kept
};

}  // namespace opass::schedulers
