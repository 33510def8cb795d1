#pragma once

#include <cstdint>
#include <vector>

#include "opass/memory/storage.h"

namespace opass::memory {

// Chooses which outputs of an operator take over which dying inputs, so that the bytes taken over
// are the most. The weight of a pair is its output's size, so the sets of outputs that can be
// served form a matroid: serving the largest outputs first, each by an augmenting path, is optimal
// (Edmonds 1971). Ties go to the output and the input listed first. A greedy choice without
// augmenting is not enough: design "scheduling" 1.9.
class TakeoverMatching {
 public:
  explicit TakeoverMatching(const StorageGraph& graph) : graph_(&graph) {}

  // The most bytes that `op` can save when exactly the inputs with `dies(StorageId)` die at it.
  // The pairs that save them are in `chosen()` until the next call.
  template <typename Dies>
  std::int64_t Solve(OpId op, Dies dies) {
    chosen_.clear();
    const std::vector<Takeover>& takeovers = graph_->op(op).takeovers;
    if (takeovers.empty()) return 0;
    usable_.clear();
    for (const Takeover& takeover : takeovers) {
      if (dies(takeover.input)) usable_.push_back(&takeover);
    }
    return SolveUsable();
  }

  const std::vector<const Takeover*>& chosen() const { return chosen_; }

 private:
  std::int64_t SolveUsable();
  std::int64_t Match();
  bool Augment(std::size_t output);
  std::int64_t SizeOf(const Takeover& takeover) const {
    return graph_->storage(takeover.output).size_bytes;
  }

  struct Edge {
    std::size_t input;
    const Takeover* takeover;
  };

  const StorageGraph* graph_;
  std::vector<const Takeover*> usable_;
  std::vector<const Takeover*> chosen_;
  std::vector<std::vector<Edge>> edges_;    // per output, preferred first
  std::vector<const Takeover*> served_by_;  // per input
  std::vector<std::size_t> owner_;          // per input: the output it serves
};

}  // namespace opass::memory
