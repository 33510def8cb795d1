#include "opass/schedulers/search/free_steps.h"

#include <algorithm>
#include <span>

namespace opass::schedulers {
namespace {

using memory::OpId;
using memory::StorageId;

// Of the readers of one storage, or the operators that wait for one: on ordinary graphs all.
constexpr std::size_t kMaxNeighbours = 32;

bool TakeIfFree(StepState& state, OpId op, std::int64_t budget_bytes) {
  const StepCost cost = state.Cost(op);
  if (cost.live_bytes > state.live_bytes() || cost.step_bytes > budget_bytes) return false;
  state.Take(op);
  return true;
}

void TakeThoseFree(StepState& state, std::span<const OpId> ops, std::int64_t budget_bytes,
                   std::size_t stop_at) {
  for (const OpId op : ops.first(std::min(ops.size(), kMaxNeighbours))) {
    if (state.num_taken() >= stop_at) return;
    if (state.is_ready(op)) TakeIfFree(state, op, budget_bytes);
  }
}

}  // namespace

std::uint64_t TakeFreeSteps(StepState& state, std::int64_t budget_bytes, std::size_t max_looked) {
  std::uint64_t all_looked = 0;
  std::size_t looked = 0;
  // From the end; after a step the scan goes on with what has just become ready.
  for (std::size_t left = state.ready().size(); left > 0 && looked < max_looked;) {
    ++all_looked;
    if (TakeIfFree(state, state.ready()[left - 1], budget_bytes)) {
      left = state.ready().size();
      looked = 0;
    } else {
      --left;
      ++looked;
    }
  }
  return all_looked;
}

void TakeOpenedSteps(StepState& state, std::int64_t budget_bytes, std::size_t max_steps) {
  const std::size_t stop_at = state.num_taken() + max_steps;
  for (std::size_t next = state.num_taken() - 1; next < state.num_taken(); ++next) {
    if (state.num_taken() >= stop_at) return;
    const OpId taken = state.path()[next];
    TakeThoseFree(state, state.waiting_for(taken), budget_bytes, stop_at);
    for (const StorageId input : state.graph().inputs[taken.index()]) {
      TakeThoseFree(state, state.graph().readers[input.index()], budget_bytes, stop_at);
    }
  }
}

}  // namespace opass::schedulers
