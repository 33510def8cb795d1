#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "opass/schedulers/search/step_state.h"

namespace opass::schedulers {

// Groups of operators not yet taken whose steps have nothing to do with each other: no operator
// waits for one of another group, and no storage lives or dies by operators of two. The live bytes
// of a state are then a sum over the groups, whatever the order in which they are mixed.
class Components {
 public:
  explicit Components(const StepGraph& graph);

  // `ops`: not taken; no other operator that is not taken waits for them or they for it. Each group
  // is sorted; they come in the order of their first operators.
  std::vector<std::vector<memory::OpId>> Split(const StepState& state,
                                               std::span<const memory::OpId> ops);
  // Operators and links looked at by all calls.
  std::uint64_t work() const { return work_; }

 private:
  void Reach(memory::OpId op);
  void Spread(const StepState& state, memory::OpId from, std::vector<memory::OpId>& group);

  const StepGraph& graph_;
  std::uint32_t round_ = 0;
  std::vector<std::uint32_t> waits_in_;  // per operator: the round in which it awaits a group
  std::vector<std::uint32_t> read_in_;   // per storage: the round in which its readers were reached
  std::vector<memory::OpId> stack_;
  std::uint64_t work_ = 0;
};

}  // namespace opass::schedulers
