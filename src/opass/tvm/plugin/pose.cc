#include "opass/tvm/plugin/pose.h"

#include <algorithm>

namespace opass::tvm {
namespace {

using memory::OpId;
using memory::ValueId;

// `then` runs after `first`.
void Order(memory::Problem& problem, OpId first, OpId then, std::vector<ValueId>& token_of) {
  if (first == then) return;
  ValueId& token = token_of[first.index()];
  if (!token.valid()) {
    token = ValueId(problem.values.size());
    memory::Value value;
    value.name = "after " + problem.op(first).name;
    value.producer = first;
    problem.values.push_back(std::move(value));
    problem.op(first).outputs.push_back(token);
  }
  std::vector<ValueId>& inputs = problem.op(then).inputs;
  if (std::ranges::find(inputs, token) == inputs.end()) inputs.push_back(token);
}

// The order of those who touch a root that somebody overwrites.
void OrderUpdates(const FunctionView& view, memory::Problem& problem) {
  std::vector<ValueId> token_of(view.steps.size());
  std::vector<bool> is_updated(view.roots.size());
  for (const Step& step : view.steps) {
    for (const std::size_t root : step.updates) is_updated[root] = true;
  }
  std::vector<OpId> last_update(view.roots.size());
  std::vector<std::vector<OpId>> readers(view.roots.size());  // since then
  for (std::size_t i = 0; i < view.steps.size(); ++i) {
    const Step& step = view.steps[i];
    const OpId op(i);
    for (const std::size_t root : step.reads) {
      if (!is_updated[root]) continue;
      if (last_update[root].valid()) Order(problem, last_update[root], op, token_of);
      if (std::ranges::find(step.updates, root) == step.updates.end()) {
        readers[root].push_back(op);
        continue;
      }
      for (const OpId reader : readers[root]) Order(problem, reader, op, token_of);
      readers[root].clear();
      last_update[root] = op;
    }
  }
}

}  // namespace

Posed Pose(const FunctionView& view) {
  Posed posed;
  memory::Problem& problem = posed.problem;
  problem.name = "main";
  posed.value_of.resize(view.roots.size());
  for (std::size_t i = 0; i < view.steps.size(); ++i) {
    const Step& step = view.steps[i];
    memory::Op op;
    op.name = step.name;
    op.workspace_bytes = step.scratch_bytes;
    for (const std::size_t root : step.writes) {
      memory::Value value;
      value.name = view.roots[root].name;
      value.size_bytes = view.roots[root].size_bytes;
      value.producer = OpId(i);
      value.in_arena = !view.roots[root].is_outside;
      posed.value_of[root] = ValueId(problem.values.size());
      op.outputs.push_back(posed.value_of[root]);
      problem.values.push_back(std::move(value));
    }
    for (const std::size_t root : step.reads) {
      if (posed.value_of[root].valid()) op.inputs.push_back(posed.value_of[root]);
    }
    problem.ops.push_back(std::move(op));
  }
  OrderUpdates(view, problem);
  return posed;
}

}  // namespace opass::tvm
