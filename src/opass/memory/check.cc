#include "opass/memory/check.h"

#include <fmt/format.h>

#include <algorithm>

#include "opass/memory/check_state.h"

namespace opass::memory {
namespace {

using check::Refuse;
using check::State;

Status CheckSums(const State& state) {
  const Plan& plan = state.plan;
  std::int64_t arena = 0;
  for (const Buffer& buffer : plan.buffers) {
    arena = std::max(arena, buffer.offset_bytes + buffer.size_bytes);
  }
  if (plan.arena_bytes != arena) {
    return Refuse(fmt::format("arena_bytes is {}, the buffers end at {}", plan.arena_bytes, arena));
  }
  std::int64_t sum = 0;
  for (const Value& value : state.problem.values) sum += value.size_bytes;
  if (plan.sum_bytes != sum) {
    return Refuse(fmt::format("sum_bytes is {}, the values add up to {}", plan.sum_bytes, sum));
  }
  if (plan.weights_bytes < 0 || plan.file_order_peak_bytes < 0 || plan.sum_with_weights_bytes < 0) {
    return Refuse("a size in bytes is negative");
  }
  // Subtracted, because a sum of hostile numbers may overflow.
  if (plan.sum_with_weights_bytes - sum != plan.weights_bytes) {
    return Refuse("sum_with_weights_bytes is not the sum of sum_bytes and weights_bytes");
  }
  return {};
}

Status CheckUnplanned(const State& state) {
  std::vector<std::string> planned;
  for (const Value& value : state.problem.values) {
    if (value.in_arena) planned.push_back(value.name);
  }
  std::sort(planned.begin(), planned.end());
  for (const std::string& name : state.plan.unplanned_values) {
    if (std::binary_search(planned.begin(), planned.end(), name)) {
      return Refuse("it is planned and listed as unplanned", name);
    }
  }
  return {};
}

}  // namespace

Status Check(const Problem& problem, const Plan& plan) {
  OPASS_RETURN_IF_ERROR(Validate(problem));
  State state{problem, plan, {}, {}, {}, {}, {}};
  OPASS_RETURN_IF_ERROR(check::CheckOrder(state));
  OPASS_RETURN_IF_ERROR(check::CheckBuffers(state));
  OPASS_RETURN_IF_ERROR(check::CheckAliases(state));
  OPASS_RETURN_IF_ERROR(check::CheckOverlaps(state));
  OPASS_RETURN_IF_ERROR(CheckSums(state));
  OPASS_RETURN_IF_ERROR(check::CheckPeak(state));
  OPASS_RETURN_IF_ERROR(check::CheckBound(state));
  return CheckUnplanned(state);
}

}  // namespace opass::memory
