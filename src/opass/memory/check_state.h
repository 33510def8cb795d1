#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "opass/memory/plan.h"
#include "opass/memory/problem.h"
#include "opass/support/result.h"

// The parts of memory::Check; nobody else includes this. They use the Problem and the Plan alone.
namespace opass::memory::check {

inline Error Refuse(std::string message, std::string where = "") {
  return {ErrorCode::kRefused, std::move(message), std::move(where), "", ""};
}

// A value that owns its bytes, with everything that lies inside them.
struct Family {
  ValueId root;
  std::int64_t first = 0;  // steps, half-open: the first write to the last read through any member
  std::int64_t last = 0;
  bool kept = false;  // a member is an output or preserved
  std::vector<ValueId> members;
};

// What the parts tell each other.
struct State {
  const Problem& problem;
  const Plan& plan;
  std::vector<std::int64_t> step_of;      // per operator
  std::vector<const Buffer*> buffer_of;   // per value; null outside the arena
  std::vector<const Buffer*> workspaces;  // per operator; null where it has none
  std::vector<Family> families;
  std::vector<std::size_t> family_of;  // per value: its family; of no meaning outside the arena

  std::int64_t num_steps() const {
    return plan.order.empty() ? 1 : static_cast<std::int64_t>(plan.order.size());
  }
  // The value shares the bytes of its source: views that hold something, where the plan uses them.
  bool IsView(ValueId id) const {
    const Value& value = problem.value(id);
    return plan.sharing.view && value.view.has_value() && value.size_bytes > 0;
  }
  const std::string& name(ValueId id) const { return problem.value(id).name; }
};

Status CheckOrder(State& state);
Status CheckBuffers(State& state);  // which there are, their sizes and lifetimes
Status CheckAliases(State& state);  // and the families they make
Status CheckOverlaps(const State& state);
Status CheckPeak(const State& state);
Status CheckBound(const State& state);

}  // namespace opass::memory::check
