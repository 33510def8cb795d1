#pragma once

#include <memory>
#include <span>
#include <vector>

#include "opass/memory/storage.h"
#include "opass/schedulers/search/precedences.h"
#include "opass/schedulers/search/step_graph.h"

namespace opass::schedulers {

// A stretch [first, last) of an order of the whole.
struct OrderWindow {
  std::span<const memory::OpId> order;
  std::span<const std::size_t> position;  // per operator: its place in the order
  std::size_t first = 0;
  std::size_t last = 0;
  std::int64_t live_bytes = 0;  // before `first`
};

// The steps of some operators between others that ran before and others that run after, as a
// problem of its own: an order of the part costs at every step what it costs in the whole.
// Storages that cross into the part are inputs of it, those that cross out of it are outputs, those
// that live through it untouched are one constant. An input that arrives at its first reader, which
// is in the part, is the output of an operator of its own: loading it when first needed is best, so
// the optimum is the same.
class Part {
 public:
  // `ops` in a topological order, which also respects `extra`; all that they need and that is not
  // among them is in `before`, which is closed under predecessors.
  Part(const memory::StorageGraph& whole, std::span<const memory::OpId> before,
       std::span<const memory::OpId> ops, std::span<const Precedence> extra = {});
  // The same for a stretch of an order, in time of the stretch alone.
  Part(const memory::StorageGraph& whole, const OrderWindow& window);
  Part(const Part&) = delete;
  Part& operator=(const Part&) = delete;

  const memory::StorageGraph& graph() const { return *graph_; }
  const StepGraph& steps() const { return *steps_; }
  // The order `ops` was given in, in operators of the part.
  std::vector<memory::OpId> GivenOrder() const;
  // The operator of the whole; invalid for one that loads an input.
  memory::OpId origin(memory::OpId op) const { return origin_[op.index()]; }
  // Operators of the whole, without those that load.
  std::vector<memory::OpId> InWhole(std::span<const memory::OpId> ops) const;

 private:
  friend class PartMaker;

  void Pack();

  memory::Problem problem_;
  std::vector<memory::OpId> origin_;  // per operator of the part
  std::unique_ptr<const memory::StorageGraph> graph_;
  std::unique_ptr<const StepGraph> steps_;
};

}  // namespace opass::schedulers
