#include <fmt/format.h>

#include <algorithm>

#include "opass/memory/check_state.h"
#include "opass/support/bytes.h"

namespace opass::memory::check {

Status CheckOrder(State& state) {
  const Problem& problem = state.problem;
  if (state.plan.order.size() != problem.ops.size()) {
    return Refuse(fmt::format("the order has {} operators, the problem {}", state.plan.order.size(),
                              problem.ops.size()));
  }
  state.step_of.assign(problem.ops.size(), -1);
  for (std::size_t k = 0; k < state.plan.order.size(); ++k) {
    const OpId id = state.plan.order[k];
    if (id.index() >= problem.ops.size()) return Refuse("the order names an unknown operator");
    if (state.step_of[id.index()] >= 0) {
      return Refuse("the order has this operator twice", problem.op(id).name);
    }
    state.step_of[id.index()] = static_cast<std::int64_t>(k);
    for (const ValueId input : problem.op(id).inputs) {
      const OpId producer = problem.value(input).producer;
      if (producer.valid() && state.step_of[producer.index()] < 0) {
        return Refuse(fmt::format("it runs before '{}', which makes its input '{}'",
                                  problem.op(producer).name, state.name(input)),
                      problem.op(id).name);
      }
    }
  }
  return {};
}

namespace {

struct Steps {
  std::int64_t first = 0;
  std::int64_t last = 0;
};

// The lifetime of every value by itself, read off the order.
std::vector<Steps> Lifetimes(const State& state) {
  const Problem& problem = state.problem;
  std::vector<Steps> steps(problem.values.size());
  std::vector<bool> read(problem.values.size(), false);
  for (std::size_t k = 0; k < state.plan.order.size(); ++k) {
    const std::int64_t step = static_cast<std::int64_t>(k);
    const Op& op = problem.op(state.plan.order[k]);
    for (const ValueId output : op.outputs) steps[output.index()] = {step, step + 1};
    for (const ValueId input : op.inputs) {
      const bool arrives = !problem.value(input).producer.valid() && !read[input.index()] &&
                           problem.inputs == InputArrival::kFirstUse;
      if (arrives) steps[input.index()].first = step;
      steps[input.index()].last = step + 1;
      read[input.index()] = true;
    }
  }
  for (std::size_t i = 0; i < problem.values.size(); ++i) {
    const Value& value = problem.values[i];
    if (value.is_output || value.is_preserved) steps[i].last = state.num_steps();
  }
  return steps;
}

Status CheckPlace(const State& state, const Buffer& buffer, const std::string& name,
                  std::int64_t size, Steps steps) {
  if (buffer.first != steps.first || buffer.last != steps.last) {
    return Refuse(fmt::format("its lifetime is [{}, {}), not [{}, {})", steps.first, steps.last,
                              buffer.first, buffer.last),
                  name);
  }
  if (buffer.size_bytes != size) {
    return Refuse(fmt::format("its size is {}, not {}", size, buffer.size_bytes), name);
  }
  if (buffer.offset_bytes < 0 || buffer.offset_bytes % state.problem.alignment != 0) {
    return Refuse(fmt::format("its offset {} is off the alignment of {}", buffer.offset_bytes,
                              state.problem.alignment),
                  name);
  }
  if (buffer.offset_bytes > state.plan.arena_bytes - size) {
    return Refuse(fmt::format("it leaves the arena of {} bytes", state.plan.arena_bytes), name);
  }
  return {};
}

Status CheckValueBuffer(State& state, const Buffer& buffer, const std::vector<Steps>& lifetimes) {
  const Problem& problem = state.problem;
  if (buffer.value.index() >= problem.values.size() || buffer.workspace_of.valid()) {
    return Refuse("a buffer belongs to no value");
  }
  const Value& value = problem.value(buffer.value);
  if (!value.in_arena) return Refuse("it has a buffer but is outside the arena", value.name);
  if (state.buffer_of[buffer.value.index()] != nullptr) {
    return Refuse("it has two buffers", value.name);
  }
  state.buffer_of[buffer.value.index()] = &buffer;
  const Steps steps = lifetimes[buffer.value.index()];
  const bool needs_none = steps.last == 0;
  return CheckPlace(state, buffer, value.name,
                    needs_none ? 0 : RoundUp(value.size_bytes, problem.alignment), steps);
}

Status CheckWorkspaceBuffer(State& state, const Buffer& buffer) {
  const Problem& problem = state.problem;
  if (buffer.workspace_of.index() >= problem.ops.size()) {
    return Refuse("a buffer belongs to no value and no operator");
  }
  const Op& op = problem.op(buffer.workspace_of);
  const std::string name = op.name + "#workspace";
  if (state.workspaces[buffer.workspace_of.index()] != nullptr) {
    return Refuse("it has two buffers", name);
  }
  if (op.workspace_bytes == 0) return Refuse("the operator needs no workspace", name);
  if (buffer.alias_kind != AliasKind::kNone || buffer.alias_of.valid()) {
    return Refuse("a workspace shares with nobody", name);
  }
  state.workspaces[buffer.workspace_of.index()] = &buffer;
  const std::int64_t step = state.step_of[buffer.workspace_of.index()];
  return CheckPlace(state, buffer, name, RoundUp(op.workspace_bytes, problem.alignment),
                    {step, step + 1});
}

// The plan says how inputs and outputs were counted.
Status CheckConventions(const State& state) {
  if (state.plan.inputs != state.problem.inputs) {
    return Refuse("the plan and the problem do not agree on when inputs arrive");
  }
  for (const Value& value : state.problem.values) {
    const bool is_input = !value.producer.valid();
    if (!value.in_arena) continue;
    if (state.plan.preserve_inputs && is_input && !value.is_preserved) {
      return Refuse("the plan preserves inputs, the problem does not", value.name);
    }
    if (state.plan.exclude_io && (is_input || value.is_output)) {
      return Refuse("the plan leaves inputs and outputs out, the problem does not", value.name);
    }
  }
  return {};
}

}  // namespace

Status CheckBuffers(State& state) {
  const Problem& problem = state.problem;
  if (state.plan.alignment != problem.alignment) {
    return Refuse(fmt::format("the plan is aligned to {}, the problem to {}", state.plan.alignment,
                              problem.alignment));
  }
  OPASS_RETURN_IF_ERROR(CheckConventions(state));
  if (state.plan.arena_bytes < 0) return Refuse("arena_bytes is negative");
  const std::vector<Steps> lifetimes = Lifetimes(state);
  state.buffer_of.assign(problem.values.size(), nullptr);
  state.workspaces.assign(problem.ops.size(), nullptr);
  for (const Buffer& buffer : state.plan.buffers) {
    if (buffer.value.valid()) {
      OPASS_RETURN_IF_ERROR(CheckValueBuffer(state, buffer, lifetimes));
    } else {
      OPASS_RETURN_IF_ERROR(CheckWorkspaceBuffer(state, buffer));
    }
  }
  for (std::size_t i = 0; i < problem.values.size(); ++i) {
    if (problem.values[i].in_arena && state.buffer_of[i] == nullptr) {
      return Refuse("it has no buffer", problem.values[i].name);
    }
  }
  for (std::size_t i = 0; i < problem.ops.size(); ++i) {
    if (problem.ops[i].workspace_bytes > 0 && state.workspaces[i] == nullptr) {
      return Refuse("it has no buffer", problem.ops[i].name + "#workspace");
    }
  }
  return {};
}

}  // namespace opass::memory::check
